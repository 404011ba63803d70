"""The tables of trailmark.db and the steps by which an older file becomes a newer one.

A step that was released is never edited: a change is a new step at the end. The number of steps done stands in the file
as `user_version`, and `application_id` tells our files from other SQLite databases.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

APPLICATION_ID = 0x54726D6B  # "Trmk"

Migration = tuple[str, ...]

_TAUGHT_AND_FETCHED: Migration = (
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    """CREATE TABLE pages (
        url TEXT PRIMARY KEY,
        final_url TEXT NOT NULL,
        status INTEGER NOT NULL,
        content_type TEXT NOT NULL,
        content_hash TEXT NOT NULL,
        archive TEXT NOT NULL,
        offset INTEGER NOT NULL,
        fetched_at TEXT NOT NULL
    ) WITHOUT ROWID""",
    "CREATE INDEX pages_by_content ON pages (content_hash)",
    """CREATE TABLE trails (
        id INTEGER PRIMARY KEY,
        site TEXT NOT NULL,
        outcome TEXT NOT NULL CHECK (outcome IN ('goal', 'fail')),
        last_label TEXT,
        source TEXT NOT NULL,
        line INTEGER,
        added_at TEXT NOT NULL,
        content_hash TEXT NOT NULL UNIQUE
    )""",
    "CREATE INDEX trails_by_source ON trails (source)",
    """CREATE TABLE steps (
        trail_id INTEGER NOT NULL REFERENCES trails (id) ON DELETE CASCADE,
        position INTEGER NOT NULL,
        url TEXT NOT NULL,
        label TEXT,
        anchor TEXT,
        PRIMARY KEY (trail_id, position)
    ) WITHOUT ROWID""",
    """CREATE TABLE annotations (
        id INTEGER PRIMARY KEY,
        url TEXT NOT NULL,
        field TEXT NOT NULL,
        value TEXT,
        xpath TEXT,
        source TEXT NOT NULL,
        added_at TEXT NOT NULL,
        content_hash TEXT NOT NULL UNIQUE
    )""",
    "CREATE INDEX annotations_by_url ON annotations (url)",
)

_LIFTED: Migration = (
    """CREATE TABLE records (
        id INTEGER PRIMARY KEY,
        url TEXT NOT NULL,
        kind TEXT NOT NULL,
        fields TEXT NOT NULL,
        made_by TEXT NOT NULL,
        added_at TEXT NOT NULL,
        content_hash TEXT NOT NULL UNIQUE
    )""",
    "CREATE INDEX records_by_url ON records (url)",
    "CREATE INDEX records_by_kind ON records (kind)",
)

_FORAGED: Migration = (
    """CREATE TABLE runs (
        id INTEGER PRIMARY KEY,
        digest TEXT NOT NULL,
        said TEXT NOT NULL,
        started_at TEXT NOT NULL,
        finished_at TEXT,
        seconds REAL NOT NULL DEFAULT 0,
        last_order INTEGER NOT NULL DEFAULT 0,
        journal INTEGER NOT NULL DEFAULT 0
    )""",
    "CREATE INDEX runs_by_digest ON runs (digest)",
    """CREATE TABLE sites (
        run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
        number INTEGER NOT NULL,
        root TEXT NOT NULL,
        scope TEXT NOT NULL,
        pages INTEGER NOT NULL DEFAULT 0,
        goals INTEGER NOT NULL DEFAULT 0,
        readable INTEGER NOT NULL DEFAULT 0,
        since_goal INTEGER NOT NULL DEFAULT 0,
        goal_probability REAL NOT NULL DEFAULT 0,
        ended TEXT NOT NULL DEFAULT '',
        PRIMARY KEY (run_id, number)
    ) WITHOUT ROWID""",
    """CREATE TABLE fetches (
        run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
        n INTEGER NOT NULL,
        site INTEGER NOT NULL,
        url TEXT NOT NULL,
        status INTEGER NOT NULL,
        score REAL NOT NULL,
        label TEXT NOT NULL,
        goal INTEGER NOT NULL,
        goal_probability REAL NOT NULL,
        parent_n INTEGER NOT NULL,
        depth INTEGER NOT NULL,
        final_url TEXT NOT NULL,
        content_hash TEXT NOT NULL,
        gist INTEGER NOT NULL,
        failure TEXT NOT NULL,
        PRIMARY KEY (run_id, n)
    ) WITHOUT ROWID""",
    "CREATE INDEX goals_of_runs ON fetches (run_id, n) WHERE goal",
    """CREATE TABLE links (
        run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
        key INTEGER NOT NULL,
        state INTEGER NOT NULL,
        site INTEGER NOT NULL,
        url TEXT NOT NULL DEFAULT '',
        depth INTEGER NOT NULL DEFAULT 0,
        ord INTEGER NOT NULL DEFAULT 0,
        parent_n INTEGER NOT NULL DEFAULT 0,
        block INTEGER NOT NULL DEFAULT -1,
        tag_path TEXT NOT NULL DEFAULT '',
        chain INTEGER NOT NULL DEFAULT 0,
        base REAL NOT NULL DEFAULT 0,
        best REAL NOT NULL DEFAULT 0,
        score REAL NOT NULL DEFAULT 0,
        memory BLOB,
        PRIMARY KEY (run_id, key)
    ) WITHOUT ROWID""",
    "CREATE INDEX resting_links ON links (run_id, site, score DESC, ord) WHERE state = 0",
)

_CLUSTERED: Migration = (
    """CREATE TABLE clusters (
        id TEXT PRIMARY KEY,
        site TEXT NOT NULL,
        signature TEXT NOT NULL,
        url_pattern TEXT NOT NULL,
        template TEXT NOT NULL
    ) WITHOUT ROWID""",
    """CREATE TABLE cluster_pages (
        url TEXT PRIMARY KEY,
        cluster_id TEXT REFERENCES clusters (id) ON DELETE CASCADE,
        sample_rank INTEGER
    ) WITHOUT ROWID""",
    "CREATE INDEX cluster_pages_by_cluster ON cluster_pages (cluster_id)",
)

_TRACED: Migration = (
    "ALTER TABLE records ADD COLUMN sources TEXT NOT NULL DEFAULT '{}'",
    """CREATE TABLE extractions (
        url TEXT PRIMARY KEY,
        content_hash TEXT NOT NULL,
        rules TEXT NOT NULL,
        outcome TEXT NOT NULL,
        note TEXT NOT NULL
    ) WITHOUT ROWID""",
)

_TAKEN_UP: Migration = (
    "ALTER TABLE runs ADD COLUMN notes TEXT NOT NULL DEFAULT '{}'",
    "ALTER TABLE sites ADD COLUMN same_as TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE fetches ADD COLUMN sketch BLOB NOT NULL DEFAULT x''",
    "ALTER TABLE fetches ADD COLUMN missing INTEGER NOT NULL DEFAULT 0",
    "CREATE INDEX resting_by_page ON links (run_id, site, parent_n, key) WHERE state = 0",
)

_MONITORED: Migration = (
    """CREATE TABLE bellwethers (
        cluster_id TEXT NOT NULL,
        url TEXT NOT NULL,
        golden TEXT NOT NULL,
        rules TEXT NOT NULL,
        taken_at TEXT NOT NULL,
        PRIMARY KEY (cluster_id, url)
    ) WITHOUT ROWID""",
    """CREATE TABLE monitor_visits (
        run INTEGER NOT NULL,
        cluster_id TEXT NOT NULL,
        at TEXT NOT NULL,
        status TEXT NOT NULL,
        report TEXT NOT NULL,
        PRIMARY KEY (run, cluster_id)
    ) WITHOUT ROWID""",
    """CREATE TABLE rule_versions (
        id INTEGER PRIMARY KEY,
        cluster_id TEXT NOT NULL,
        at TEXT NOT NULL,
        kept TEXT NOT NULL
    )""",
    "CREATE INDEX rule_versions_by_cluster ON rule_versions (cluster_id, id)",
)

_EXPLAINED: Migration = ("ALTER TABLE sites ADD COLUMN why TEXT NOT NULL DEFAULT ''",)

# Links of a run that learnt on the way held the key of their URL as a last number in their memory.
_KEYLESS: Migration = (
    """UPDATE links SET memory = substr(memory, 1, length(memory) - 8)
       WHERE length(memory) % 16 = 8 AND run_id IN (SELECT id FROM runs WHERE json_extract(said, '$.strategy') = 'path')""",
)

# A verdict may be open (goal NULL: unsure), and is settled when a run ends: what the walk thought stays beside it. SQLite can't take NOT NULL
# off a column, so the table is made anew.
_SETTLED: Migration = (
    "DROP INDEX goals_of_runs",
    "ALTER TABLE fetches RENAME TO fetches_before",
    """CREATE TABLE fetches (
        run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
        n INTEGER NOT NULL,
        site INTEGER NOT NULL,
        url TEXT NOT NULL,
        status INTEGER NOT NULL,
        score REAL NOT NULL,
        label TEXT NOT NULL,
        goal INTEGER,
        goal_probability REAL NOT NULL,
        parent_n INTEGER NOT NULL,
        depth INTEGER NOT NULL,
        final_url TEXT NOT NULL,
        content_hash TEXT NOT NULL,
        gist INTEGER NOT NULL,
        failure TEXT NOT NULL,
        sketch BLOB NOT NULL DEFAULT x'',
        missing INTEGER NOT NULL DEFAULT 0,
        evidence REAL NOT NULL DEFAULT 0,
        family TEXT NOT NULL DEFAULT '',
        walk_goal INTEGER,
        walk_probability REAL NOT NULL DEFAULT 0,
        PRIMARY KEY (run_id, n)
    ) WITHOUT ROWID""",
    """INSERT INTO fetches (run_id, n, site, url, status, score, label, goal, goal_probability, parent_n, depth, final_url,
           content_hash, gist, failure, sketch, missing, walk_goal, walk_probability)
       SELECT run_id, n, site, url, status, score, label, goal, goal_probability, parent_n, depth, final_url,
           content_hash, gist, failure, sketch, missing, goal, goal_probability FROM fetches_before""",
    "DROP TABLE fetches_before",
    "CREATE INDEX goals_of_runs ON fetches (run_id, n) WHERE goal",
    "CREATE INDEX unsure_of_runs ON fetches (run_id, n) WHERE goal IS NULL",
    "CREATE INDEX fetches_by_page ON fetches (final_url, run_id) WHERE final_url != ''",
    "ALTER TABLE sites ADD COLUMN unsure INTEGER NOT NULL DEFAULT 0",
    """CREATE TABLE answers (
        run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
        url TEXT NOT NULL,
        answer INTEGER NOT NULL,
        asked_by TEXT NOT NULL,
        asked_at TEXT NOT NULL,
        PRIMARY KEY (run_id, url)
    ) WITHOUT ROWID""",
)

# Several goals in one workspace: which of them a failed trail is about (a JSON list), and which a verdict is about.
_SEVERAL_GOALS: Migration = (
    "ALTER TABLE trails ADD COLUMN about TEXT NOT NULL DEFAULT '[]'",
    "ALTER TABLE fetches ADD COLUMN goal_name TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE fetches ADD COLUMN commonness REAL NOT NULL DEFAULT 0",
)

_CHECKED: Migration = (
    """CREATE TABLE checks (
        run_id INTEGER PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
        pages INTEGER NOT NULL,
        fetched INTEGER NOT NULL,
        drawn_at TEXT NOT NULL
    )""",
    """CREATE TABLE check_pages (
        run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
        position INTEGER NOT NULL,
        url TEXT NOT NULL,
        stratum INTEGER NOT NULL,
        skipped INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (run_id, position)
    ) WITHOUT ROWID""",
)

_UNSURE: Migration = ("ALTER TABLE records ADD COLUMN unsure TEXT NOT NULL DEFAULT '[]'",)

# A run for one goal says which, so that its verdicts are not taken for those of another; pages that one found were labelled with its name.
_NAMED: Migration = (
    "ALTER TABLE runs ADD COLUMN goal_name TEXT NOT NULL DEFAULT ''",
    """UPDATE runs SET goal_name = COALESCE((
           SELECT label FROM fetches WHERE run_id = runs.id AND walk_goal AND label != '' AND goal_name = ''
           GROUP BY label ORDER BY COUNT(*) DESC, label LIMIT 1), '')
       WHERE json_extract(said, '$.strategy') IN ('path', 'path-plain', 'focused', 'future', 'context', 'breadth')""",
)

# What a run found of each of its goals can be checked apart; '' is all that it found.
_CHECKED_BY_GOAL: Migration = (
    "ALTER TABLE checks RENAME TO checks_before",
    "ALTER TABLE check_pages RENAME TO check_pages_before",
    """CREATE TABLE checks (
        run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
        goal_name TEXT NOT NULL,
        pages INTEGER NOT NULL,
        fetched INTEGER NOT NULL,
        drawn_at TEXT NOT NULL,
        PRIMARY KEY (run_id, goal_name)
    ) WITHOUT ROWID""",
    """CREATE TABLE check_pages (
        run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
        goal_name TEXT NOT NULL,
        position INTEGER NOT NULL,
        url TEXT NOT NULL,
        stratum INTEGER NOT NULL,
        skipped INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (run_id, goal_name, position)
    ) WITHOUT ROWID""",
    "INSERT INTO checks SELECT run_id, '', pages, fetched, drawn_at FROM checks_before",
    "INSERT INTO check_pages SELECT run_id, '', position, url, stratum, skipped FROM check_pages_before",
    "DROP TABLE check_pages_before",
    "DROP TABLE checks_before",
)

# A run as it can be watched: when each page came and what it is called, what happened beside the fetches, and how it stands now.
_WATCHED: Migration = (
    "ALTER TABLE fetches ADD COLUMN at REAL",
    "ALTER TABLE fetches ADD COLUMN title TEXT NOT NULL DEFAULT ''",
    """CREATE TABLE run_events (
        id INTEGER PRIMARY KEY,
        run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
        at REAL NOT NULL,
        kind TEXT NOT NULL,
        host TEXT NOT NULL,
        url TEXT NOT NULL,
        words TEXT NOT NULL
    )""",
    "CREATE INDEX run_events_by_run ON run_events (run_id, id)",
    """CREATE TABLE run_pulses (
        run_id INTEGER PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
        pulse TEXT NOT NULL
    )""",
)

# What people did, and every row that it changed as it was before and after: what is needed to take it back. Rules and records that were taken
# back stay away until something else is learnt, or lifted, in their place.
_TAKEN_BACK: Migration = (
    """CREATE TABLE acts (
        id INTEGER PRIMARY KEY,
        at TEXT NOT NULL,
        who TEXT NOT NULL,
        verb TEXT NOT NULL,
        what TEXT NOT NULL,
        undoes INTEGER,
        undone_by INTEGER
    )""",
    """CREATE TABLE act_rows (
        act_id INTEGER NOT NULL,
        place INTEGER NOT NULL,
        name TEXT NOT NULL,
        key TEXT NOT NULL,
        before TEXT,
        after TEXT,
        PRIMARY KEY (act_id, place)
    ) WITHOUT ROWID""",
    "CREATE INDEX act_rows_by_key ON act_rows (name, key, act_id)",
    "CREATE TABLE forgotten_rules (cluster_id TEXT PRIMARY KEY, digest TEXT NOT NULL) WITHOUT ROWID",
    "CREATE TABLE forgotten_records (digest TEXT PRIMARY KEY, url TEXT NOT NULL) WITHOUT ROWID",
    "ALTER TABLE trails ADD COLUMN told INTEGER NOT NULL DEFAULT 0",
)

# Records that rules of another template made; what people changed of records and fields, act by act, and beside each record that was
# changed what the rules had lifted (JSON).
_SHAPED: Migration = (
    "ALTER TABLE records ADD COLUMN borrowed INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE records ADD COLUMN lifted TEXT",
    """CREATE TABLE record_acts (
        id INTEGER PRIMARY KEY,
        at TEXT NOT NULL,
        act TEXT NOT NULL,
        undone INTEGER NOT NULL DEFAULT 0
    )""",
)

# Documents that were tagged, and by which models; how probable each value of a record is.
_TAGGED: Migration = (
    "ALTER TABLE records ADD COLUMN probabilities TEXT NOT NULL DEFAULT '{}'",
    """CREATE TABLE taggings (
        url TEXT PRIMARY KEY,
        content_hash TEXT NOT NULL,
        models TEXT NOT NULL,
        outcome TEXT NOT NULL,
        note TEXT NOT NULL
    ) WITHOUT ROWID""",
)

# One history: changes of records are acts of the journal, and bear their numbers. The numbers of both follow the time when they were done.
_ONE_HISTORY: Migration = (
    """CREATE TABLE renumbered AS SELECT kind, old, row_number() OVER (ORDER BY at, kind, old) AS new FROM (
           SELECT 'act' AS kind, id AS old, at FROM acts
           UNION ALL SELECT 'change', id, at FROM record_acts UNION ALL SELECT 'undone', id, at FROM record_acts WHERE undone)
       WHERE EXISTS (SELECT 1 FROM record_acts)""",
    "CREATE UNIQUE INDEX renumbered_by_old ON renumbered (kind, old)",
    *(
        f"UPDATE {table} SET {column} = -(SELECT new FROM renumbered WHERE kind = '{kind}' AND old = {column}) "  # noqa: S608
        f"WHERE {column} IS NOT NULL AND EXISTS (SELECT 1 FROM renumbered)"
        for table, column, kind in (
            ("acts", "id", "act"),
            ("acts", "undoes", "act"),
            ("acts", "undone_by", "act"),
            ("act_rows", "act_id", "act"),
            ("record_acts", "id", "change"),
        )
    ),
    *(
        f"UPDATE {table} SET {column} = -{column} WHERE {column} < 0"  # noqa: S608
        for table, column in (
            ("acts", "id"),
            ("acts", "undoes"),
            ("acts", "undone_by"),
            ("act_rows", "act_id"),
            ("record_acts", "id"),
        )
    ),
    """INSERT INTO acts (id, at, who, verb, what, undone_by)
       SELECT record_acts.id, at, 'a person', 'shape',
           CASE WHEN json_extract(act, '$.how') = 'edit'
               THEN '“' || json_extract(act, '$.field') || '” of a record of ' || json_extract(act, '$.url') || ' was given by hand.'
               ELSE '“' || json_extract(act, '$.fields[0]') || '” was changed (' || json_extract(act, '$.how') || ').' END,
           (SELECT undoing.new FROM renumbered AS making JOIN renumbered AS undoing
                ON undoing.kind = 'undone' AND undoing.old = making.old WHERE making.kind = 'change' AND making.new = record_acts.id)
       FROM record_acts""",
    """INSERT INTO acts (id, at, who, verb, what, undoes)
       SELECT undone_by, at, who, 'undo', 'Undone: ' || what, id FROM acts WHERE verb = 'shape' AND undone_by IS NOT NULL""",
    """INSERT INTO act_rows (act_id, place, name, key, before, after)
       SELECT acts.id, 1, 'record_acts', '[' || record_acts.id || ']',
           json_object('id', record_acts.id, 'at', record_acts.at, 'act', act, 'undone', acts.undoes IS NULL),
           json_object('id', record_acts.id, 'at', record_acts.at, 'act', act, 'undone', acts.undoes IS NOT NULL)
       FROM acts JOIN record_acts ON record_acts.id = coalesce(acts.undoes, acts.id)""",
    "DROP TABLE renumbered",
)

# Two entries of a list may say the same: who took one of them back did not take both.
_FORGOTTEN_COPIES: Migration = ("ALTER TABLE forgotten_records ADD COLUMN copies INTEGER NOT NULL DEFAULT 1",)

_ORGANISED: Migration = (
    "CREATE TABLE topic_moves (item TEXT PRIMARY KEY, topic TEXT NOT NULL, at TEXT NOT NULL) WITHOUT ROWID",
)

# What people said of the fields of a document's words, by the words of the header or reference in which they stand.
_CORRECTED: Migration = (
    """CREATE TABLE tag_corrections (
        url TEXT NOT NULL,
        part TEXT NOT NULL,
        model TEXT NOT NULL,
        lines TEXT NOT NULL,
        at TEXT NOT NULL,
        PRIMARY KEY (url, part)
    ) WITHOUT ROWID""",
)

# What `update` did, and when.
_UPDATED: Migration = (
    """CREATE TABLE updates (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        started_at TEXT NOT NULL,
        finished_at TEXT,
        report TEXT NOT NULL
    )""",
)

# What people said of groups of references, by the number of their act, and the text of documents, packed, so that it can be searched.
_GROUPED: Migration = (
    "CREATE TABLE group_acts (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, names TEXT NOT NULL, at TEXT NOT NULL)",
    "CREATE TABLE bodies (url TEXT PRIMARY KEY, digest TEXT NOT NULL, packed BLOB NOT NULL)",
    "CREATE INDEX bodies_by_digest ON bodies (digest, url)",
)

# Courses with their items as the typer read them, and what people said of the types of items, which outlives both.
_COURSES: Migration = (
    """CREATE TABLE courses (
        id TEXT PRIMARY KEY,
        url TEXT NOT NULL UNIQUE,
        title TEXT NOT NULL,
        number TEXT NOT NULL,
        term TEXT NOT NULL,
        teachers TEXT NOT NULL,
        institution TEXT NOT NULL,
        pages TEXT NOT NULL,
        missing TEXT NOT NULL,
        content_hash TEXT NOT NULL,
        typer TEXT NOT NULL,
        at TEXT NOT NULL
    ) WITHOUT ROWID""",
    """CREATE TABLE course_items (
        course_id TEXT NOT NULL REFERENCES courses (id) ON DELETE CASCADE,
        url TEXT NOT NULL,
        place INTEGER NOT NULL,
        kind TEXT NOT NULL,
        title TEXT NOT NULL,
        position INTEGER,
        file_kind TEXT NOT NULL,
        page TEXT NOT NULL,
        chance REAL NOT NULL,
        heading TEXT NOT NULL,
        PRIMARY KEY (course_id, url)
    ) WITHOUT ROWID""",
    """CREATE TABLE course_corrections (
        course TEXT NOT NULL,
        url TEXT NOT NULL,
        page TEXT NOT NULL,
        text TEXT NOT NULL,
        heading TEXT NOT NULL,
        kind TEXT NOT NULL,
        at TEXT NOT NULL,
        PRIMARY KEY (course, url)
    ) WITHOUT ROWID""",
)

# What people said of things (hidden, one, another) by the number of their act; when they last did, whatever was taken back since; and things that
# were put in a topic by kind and address too, since a corrected title gives them another key.
_CURATED: Migration = (
    "CREATE TABLE thing_acts (id INTEGER PRIMARY KEY, how TEXT NOT NULL, names TEXT NOT NULL, title TEXT NOT NULL, why TEXT NOT NULL, at TEXT NOT NULL)",
    "CREATE TABLE thing_touches (thing TEXT PRIMARY KEY, kind TEXT NOT NULL, url TEXT NOT NULL, alone INTEGER NOT NULL, topic TEXT NOT NULL, at TEXT NOT NULL) WITHOUT ROWID",
    "ALTER TABLE topic_moves ADD COLUMN kind TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE topic_moves ADD COLUMN url TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE topic_moves ADD COLUMN alone INTEGER NOT NULL DEFAULT 0",
)

# The keywords that stand on a page, as JSON, where a walk looked for some.
_BY_KEYWORDS: Migration = ("ALTER TABLE fetches ADD COLUMN keywords TEXT NOT NULL DEFAULT '[]'",)

MIGRATIONS: tuple[Migration, ...] = (
    _TAUGHT_AND_FETCHED,
    _LIFTED,
    _FORAGED,
    _CLUSTERED,
    _TRACED,
    _TAKEN_UP,
    _MONITORED,
    _EXPLAINED,
    _KEYLESS,
    _SETTLED,
    _SEVERAL_GOALS,
    _CHECKED,
    _UNSURE,
    _NAMED,
    _CHECKED_BY_GOAL,
    _WATCHED,
    _TAKEN_BACK,
    _SHAPED,
    _TAGGED,
    _ONE_HISTORY,
    _FORGOTTEN_COPIES,
    _ORGANISED,
    _CORRECTED,
    _UPDATED,
    _GROUPED,
    _COURSES,
    _CURATED,
    _BY_KEYWORDS,
)


def version_of(connection: sqlite3.Connection) -> int:
    """How many migrations the file has behind it."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def migrate(connection: sqlite3.Connection, migrations: Sequence[Migration] = MIGRATIONS) -> int:
    """Run the steps that are missing, each in a transaction of its own; returns how many were run.

    The version is read again inside each transaction, because another process may have run the step meanwhile.
    """
    run = 0
    for number, statements in enumerate(migrations, start=1):
        if version_of(connection) >= number:
            continue
        connection.execute("BEGIN IMMEDIATE")
        try:
            if version_of(connection) < number:
                for statement in statements:
                    connection.execute(statement)
                connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
                connection.execute(f"PRAGMA user_version = {number}")
                run += 1
            connection.execute("COMMIT")
        except BaseException:
            connection.execute("ROLLBACK")
            raise
    return run
