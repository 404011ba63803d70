"""Who works and studies at a site: names, logins, posts. All invented."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from trailmark.demo.prose import AREAS, OTHER_AREAS
from trailmark.demo.wording import slug

GIVEN = (
    "Ada", "Aldo", "Anke", "Beryl", "Bruno", "Carla", "Cedric", "Dora", "Edmund", "Elsa", "Fabio", "Flora", "Gregor",
    "Greta", "Hanno", "Hilda", "Ines", "Ivo", "Jana", "Jasper", "Karin", "Klaus", "Lena", "Linus", "Magda", "Mira",
    "Nadia", "Nils", "Olga", "Oscar", "Petra", "Quentin", "Rafael", "Rosa", "Simon", "Tessa", "Ulla", "Viktor", "Wanda",
    "Xenia", "Yannick", "Zora", "André", "Chloé", "Jürgen", "Søren", "Zoë", "Begoña", "Renée", "Núria",
)  # fmt: skip
FAMILY = (
    "Abbeydale", "Arkwell", "Barnholt", "Bellweather", "Brockhurst", "Calderby", "Castellane", "Cormorant", "Dalgrove",
    "Dunsmore", "Eastlake", "Elverum", "Fairbourne", "Fenwright", "Galloran", "Grimsdale", "Hathersage", "Holmquist",
    "Ingleby", "Jarrowby", "Kestrel", "Kingsmere", "Lambsworth", "Lindqvarn", "Marchbanks", "Merriday", "Netherby",
    "Norrland", "Oakhanger", "Ollerton", "Pemberly", "Penhallow", "Quillfeather", "Ravensworth", "Rookwood", "Saltmarsh",
    "Selwick", "Tamworthy", "Thistleton", "Underhay", "Vantongeren", "Wetherall", "Windlesham", "Yarrowby", "Zelander",
    "Müllerhoff", "Castañeda-Ruiz", "Dubourdé", "Åkerblom", "Ñuñoa", "Göransen", "Lefèbre-Costa", "Brandão", "Øverland",
)  # fmt: skip
POSTS = ("Professor", "Associate Professor", "Assistant Professor", "Lecturer", "Senior Lecturer", "Reader")


@dataclass(frozen=True, slots=True)
class Person:
    """One member of a department."""

    name: str
    login: str
    post: str
    area: str
    home: str
    """Path of the home page."""

    @property
    def short(self) -> str:
        """Initial and family name, as in citations."""
        given, _, family = self.name.partition(" ")
        return f"{given[0]}. {family}"


class Register:
    """Hands out people so that no two of a site share a name or a login."""

    def __init__(self, rng: Random, home: str) -> None:
        self._rng = rng
        self._home = home
        self._logins: set[str] = set()
        self._pairs = [(given, family) for family in FAMILY for given in rng.sample(GIVEN, 6)]
        rng.shuffle(self._pairs)
        self._used = 0

    def person(self, post: str, *, computing: bool = True) -> Person:
        """The next person; `post` is written on the home page."""
        given, family = self._pairs[self._used % len(self._pairs)]
        numeral = self._used // len(self._pairs)
        self._used += 1
        login = self._login(given, family)
        name = f"{given} {family}" + (f" {'I' * (numeral + 1)}" if numeral else "")
        area = self._rng.choice(AREAS if computing else OTHER_AREAS)
        return Person(name, login, post, area, self._home.format(login=login))

    def _login(self, given: str, family: str) -> str:
        plain = slug(family).replace("-", "")[:8]
        for login in (plain, slug(given)[0] + plain[:7], slug(given)[:6]):
            if login not in self._logins:
                break
        number = 2
        while login in self._logins:
            login, number = f"{plain[:6]}{number}", number + 1
        self._logins.add(login)
        return login
