"""Sentences, titles, citations and headlines: invented text that reads like a university's."""

from __future__ import annotations

from random import Random

AREAS = (
    "distributed systems", "programming languages", "machine learning", "computer vision", "databases", "robotics",
    "computer graphics", "networks", "theory of computation", "operating systems", "numerical methods", "security",
    "computational biology", "human-computer interaction", "information retrieval", "parallel computing",
)  # fmt: skip
OTHER_AREAS = (
    "river archives", "mineral surfaces", "sampling theory", "choral music", "coastal maps", "sound change", "bridges",
    "number theory", "medieval logic", "mosses and ferns", "cold plasmas", "signal circuits",
)  # fmt: skip
QUALITIES = (
    "Adaptive",
    "Lazy",
    "Robust",
    "Incremental",
    "Optimal",
    "Practical",
    "Hidden",
    "Sparse",
    "Verified",
    "Simple",
)
THINGS = (
    "Caches", "Proofs", "Schedulers", "Parsers", "Images", "Queries", "Graphs", "Sensors", "Protocols", "Compilers",
    "Meshes", "Archives", "Kernels", "Agents", "Streams",
)  # fmt: skip
SETTINGS = (
    "Wide-Area Networks", "Noisy Data", "Shared Memory", "Small Devices", "Large Collections", "Unreliable Clocks",
    "Mobile Robots", "Many Readers", "Open Systems", "Digital Libraries",
)  # fmt: skip
INSTRUMENTS = (
    "microscope",
    "line printer",
    "oscilloscope",
    "projector",
    "plotter",
    "tape drive",
    "camera",
    "spectrometer",
)
OTHER_THINGS = (
    "Letters",
    "Solvents",
    "Surveys",
    "Hymns",
    "Shorelines",
    "Vowels",
    "Arches",
    "Primes",
    "Syllogisms",
    "Spores",
)
OTHER_SETTINGS = ("the Northern Towns", "a Cold Climate", "Two Centuries", "Field Notes", "Small Samples", "Old Maps")
VENUES = (
    "Proc. Symposium on Applied Computation", "Journal of Practical Systems", "Transactions on Useful Logic",
    "Proc. Workshop on Open Questions", "Annals of Machine Reasoning", "Proc. Conference on Data in Motion",
)  # fmt: skip
OTHER_VENUES = (
    "Quarterly of Local Studies",
    "Journal of Slow Reactions",
    "Letters in Geography",
    "Proc. Society of Measures",
)
COURSES = (
    "Introduction to Programming", "Data Structures", "Algorithms", "Operating Systems", "Compilers", "Databases",
    "Artificial Intelligence", "Computer Graphics", "Computer Networks", "Discrete Mathematics", "Software Engineering",
    "Computer Architecture", "Machine Learning", "Theory of Computation", "Numerical Analysis", "Parallel Programming",
    "Information Retrieval", "Robotics", "Computer Security", "Human-Computer Interaction", "Logic for Computing",
    "Computer Vision", "Distributed Systems", "Programming Language Design", "Seminar in Systems", "Image Processing",
)  # fmt: skip
OTHER_COURSES = (
    "Introduction to {}", "Methods in {}", "{} in Society", "Advanced {}", "Field Work", "Topics in {}", "Reading {}",
    "History of {}", "{} Laboratory", "Seminar in {}",
)  # fmt: skip
HOBBIES = (
    "Photographs",
    "Mountain walks",
    "Recipes",
    "My bicycle",
    "Chess",
    "Choir",
    "Favourite links",
    "Travel diary",
)
HEADLINES = (
    "Prize for a paper on {area}", "New course in {area} this autumn", "Faculty meeting moved to Thursday",
    "Open day draws record crowd", "Call for papers: workshop on {area}", "Grant for {area}", "Visitors from {town}",
    "Course registration opens Monday", "Faculty retreat at {town}", "Library acquires papers of a pioneer",
    "Contact the help desk about new printers", "Lecture series on {area}", "Network down on Sunday",
    "Student team wins at {town}", "Building work starts in June", "Farewell to a colleague", "Seminar: {area} today",
)  # fmt: skip
SENTENCES = {
    "faculty": (
        "I work on {area} and lead the group of that name.",
        "My office hours are Tuesday and Thursday from two to four.",
        "I joined the department as assistant professor and was promoted to professor some years later.",
        "I am on the programme committee of several conferences.",
    ),
    "student": (
        "I am a graduate student and hope to finish my thesis soon.",
        "Before I came here I studied in {town}.",
        "My adviser keeps asking when the next chapter is done.",
        "When I am not working on {area} I spend my time outdoors.",
        "This page is always under construction.",
    ),
    "course": (
        "The course introduces {area} with weekly exercises and a final examination.",
        "Lectures are on Monday and Wednesday in the main lecture hall.",
        "Grading: homework 40 per cent, midterm 20 per cent, final examination 40 per cent.",
        "Prerequisite: one term of programming or consent of the instructor.",
    ),
    "department": (
        "The department offers undergraduate and graduate degrees and is known for work in {area}.",
        "Our building stands on the hill above {town}.",
        "We welcome visitors; please ask at the front office.",
    ),
    "university": (
        "The university teaches in many departments and has done so for longer than anyone remembers.",
        "Founded by the citizens of {town}, it is home to scholars and students from near and far.",
        "Choose a department to read about its people, its teaching and its research.",
    ),
    "contact": (
        "The main office is open from nine to five on weekdays.",
        "Letters, parcels and visitors are received at the front desk.",
        "Take the number 4 bus from the station and get off at the gate.",
    ),
    "news": (
        "The event was attended by colleagues from {town} and elsewhere.",
        "Details will be announced on this page as they become known.",
        "The department is grateful to everyone who helped to make this possible.",
        "Work on {area} will benefit in particular.",
    ),
    "partner": (
        "The firm supplies the laboratories with equipment and takes part in joint projects.",
        "Orders are placed through the purchasing office.",
        "The partnership began with a project on {area}.",
    ),
    "page": (
        "This page is maintained by the office; please report mistakes.",
        "The information below is believed to be correct at the time of writing.",
        "Further details are available on request.",
        "Forms can be collected from the office in {town} Hall.",
    ),
}


def paragraph(rng: Random, kind: str, *, town: str = "Thornford", area: str = "", sentences: int = 3) -> str:
    """A few sentences in the manner of a kind of page."""
    pool = SENTENCES.get(kind, SENTENCES["page"])
    chosen = rng.sample(pool, min(sentences, len(pool)))
    return " ".join(text.format(area=area or rng.choice(AREAS), town=town.capitalize()) for text in chosen)


def paper_title(rng: Random, *, computing: bool = True) -> str:
    """Title of a paper or a report."""
    things, settings = (THINGS, SETTINGS) if computing else (OTHER_THINGS, OTHER_SETTINGS)
    return f"{rng.choice(QUALITIES)} {rng.choice(things)} for {rng.choice(settings)}"


def instrument(rng: Random) -> str:
    """Name of a piece of equipment."""
    return f"{rng.choice(QUALITIES)} {rng.choice(INSTRUMENTS)}, model {rng.choice('ABDKMX')}{rng.randint(10, 900)}"


def citation(rng: Random, authors: str, *, computing: bool = True) -> str:
    """One line of a list of publications."""
    venue = rng.choice(VENUES if computing else OTHER_VENUES)
    year, first = rng.randint(1986, 2019), rng.randint(1, 400)
    return f"{authors}. {paper_title(rng, computing=computing)}. {venue}, pp. {first}–{first + rng.randint(7, 30)}, {year}."


def headline(rng: Random, *, town: str) -> str:
    return rng.choice(HEADLINES).format(area=rng.choice(AREAS), town=town.capitalize())
