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
    _TAGGED,
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
