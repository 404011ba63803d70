"""What courses call the parts of their pages and their files: wordings by type of material, from which a course draws its own."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Part:
    """How one type of material is called and where its files are. `{n}` is a number, `{topic}` what it is about, `{code}` the course's."""

    headings: tuple[str, ...]
    texts: tuple[str, ...]
    files: tuple[str, ...]
    counts: tuple[int, int]
    """At least and at most so many items."""
    share: float = 1.0
    """How many courses have it."""


PARTS: dict[str, Part] = {
    "lecture": Part(
        ("Lectures", "Lecture notes", "Class notes", "Slides", "Handouts", "Lecture slides", "Notes", "Transparencies"),
        ("Lecture {n}: {topic}", "{topic}", "Lecture {n}", "{n}", "Notes on {topic}", "{n}. {topic}", "{topic} (slides)", "Handout {n}"),
        ("lec{n}.ps", "lectures/{n}.html", "notes/{slug}.pdf", "lecture{n}.ppt", "handouts/h{n}.ps", "slides/{slug}.pdf", "L{n}.pdf", "{slug}.html"),
        (4, 12),
    ),
    "assignment": Part(
        ("Homework", "Assignments", "Problem sets", "Projects", "Programming assignments", "Labs", "Homeworks", "Machine problems"),
        ("Homework {n}", "Assignment {n}", "Problem set {n}", "{n}", "Project {n}: {topic}", "HW{n}", "#{n}", "Lab {n}", "{topic}", "PS {n}"),
        ("hw{n}.ps", "hw/hw{n}.html", "assign{n}.pdf", "ps{n}.tex", "projects/p{n}.html", "homework/{n}.ps", "labs/lab{n}.html", "asgn{n}.txt"),
        (3, 8),
    ),
    "solution": Part(
        ("Solutions", "Homework solutions", "Answers", "Solution sets", "Homework"),
        ("Solution {n}", "Solutions to homework {n}", "solution", "Answers {n}", "Soln {n}", "Solutions", "answers"),
        ("sol{n}.ps", "hw/hw{n}sol.html", "solutions/{n}.pdf", "hw{n}-ans.ps", "soln{n}.txt", "ps{n}soln.pdf"),
        (2, 6),
        0.6,
    ),
    "exam": Part(
        ("Exams", "Quizzes", "Midterm and final", "Old exams", "Tests", "Examinations", "Practice exams"),
        ("Midterm", "Final exam", "Quiz {n}", "Practice final", "Exam {n}", "Midterm {n}", "Sample questions", "Last year's final", "Review sheet"),
        ("midterm{n}.ps", "exams/final{n}.pdf", "quiz{n}.html", "practice{n}.pdf", "exam{n}.ps", "review{n}.txt"),
        (1, 4),
        0.8,
    ),
    "reading": Part(
        ("Readings", "Textbook", "References", "Further reading", "Papers", "Useful links", "Bibliography"),
        ("{topic}: a survey", "Errata of the textbook", "Chapter {n}", "The {topic} FAQ", "{topic} on the Web", "Paper on {topic}", "Reading list"),
        ("papers/{slug}.ps", "errata{n}.html", "reading{n}.html", "http://www.press.test/books/{slug}.html", "refs/{n}.pdf", "http://archive.test/{slug}.ps"),
        (1, 6),
        0.7,
    ),
    "software": Part(
        ("Software", "Code", "Programs", "Source code", "Examples", "Tools", "Data files"),
        ("{slug}.c", "Source of {topic}", "Example {n}", "Skeleton {n}", "Test data {n}", "{slug}.java", "Code from lecture {n}", "The simulator"),
        ("code/{slug}.c", "src/{slug}.java", "examples/ex{n}.py", "data/test{n}.dat", "dist{n}.tar.gz", "skel{n}.zip"),
        (1, 6),
        0.6,
    ),
    "tutorial": Part(
        ("Sections", "Tutorials", "Recitations", "Help", "Discussion sections", "How to", "Guides"),
        ("Section notes {n}", "Recitation {n}", "Using the debugger", "How to turn in homework", "Emacs tutorial", "Section {n}", "Style guide", "FAQ"),
        ("section{n}.html", "rec/r{n}.pdf", "howto{n}.html", "tutorial{n}.ps", "help/{slug}.html", "style{n}.html"),
        (1, 5),
        0.6,
    ),
    "syllabus": Part(
        ("Course information", "General information", "Administration", "About the course", "Syllabus", "Policies", "Schedule"),
        ("Syllabus", "Course description", "Schedule", "Grading policy", "Calendar", "Course information", "Late policy", "Course outline"),
        ("syllabus{n}.html", "info{n}.html", "policies{n}.html", "schedule{n}.html", "admin/{n}.html", "outline{n}.ps"),
        (1, 3),
        0.9,
    ),
    "people": Part(
        ("Instructor", "Staff", "Teaching assistants", "Course staff", "People", "Office hours", "TAs"),
        ("{person}",),
        ("/~{login}/", "mailto:{login}@{host}"),
        (1, 4),
        0.9,
    ),
    "discussion": Part(
        ("Newsgroup", "Discussion", "Communication", "Mailing list", "Forum"),
        ("Newsgroup", "Class mailing list", "Discussion board", "Mail archive", "Forum", "news:class.{slug}"),
        ("news:class.{slug}", "mail{n}/", "forum{n}/", "hypermail{n}/index.html"),
        (1, 1),
        0.35,
    ),
    "grades": Part(
        ("Grades", "Scores"),
        ("Grades", "Your scores", "Grade statistics", "Midterm scores"),
        ("grades{n}.html", "scores{n}.txt"),
        (1, 1),
        0.2,
    ),
    "video": Part(
        ("Videos", "Recorded lectures", "Recordings"),
        ("Video of lecture {n}", "Recording {n}", "Watch lecture {n}", "video"),
        ("video/{n}.mp4", "rec{n}.mov", "http://video.test/watch/{n}"),
        (1, 5),
        0.2,
    ),
}  # fmt: skip
OTHERS: tuple[tuple[str, str], ...] = (
    ("Department", "/"),
    ("Department of Computer Science", "/"),
    ("University home page", "http://www.university.test/"),
    ("Other courses", "/class/"),
    ("What's new", "new.html"),
    ("Announcements", "announce.html"),
    ("Last year's course", "../earlier/"),
    ("Ghostscript", "http://www.viewers.test/gs/"),
    ("Get the viewer", "http://www.viewers.test/"),
    ("webmaster", "mailto:webmaster@{host}"),
    ("Back to the department", "/index.html"),
    ("Feedback", "feedback.html"),
    ("Home", "./"),
)
"""(Words, address) of links that are no material."""
TOPICS = (
    "Graphs", "Sorting", "Recursion", "Trees", "Hashing", "Grammars", "Parsing", "Scheduling", "Paging", "Deadlock", "Joins", "Indexing", "Normal forms", "Search",
    "Planning", "Inference", "Shading", "Curves", "Routing", "Congestion", "Proofs", "Automata", "Reductions", "Pipelines", "Caches", "Threads", "Locks", "Clocks",
    "Consensus", "Types", "Closures", "Garbage collection", "Interpolation", "Quadrature", "Filters", "Edges and corners", "Kernels", "Regression", "Clustering",
    "Encryption", "Signatures", "Prototypes", "Menus and forms", "Ranking", "Compression",
)  # fmt: skip
LEADS = ("Introduction. ", "This page is for students of {code}. ", "Welcome to {code}. ", "")
DATES = ("Sept {n}", "{n} October", "due {n}/11", "week {n}", "Oct. {n}", "")
"""What may stand behind a link."""
