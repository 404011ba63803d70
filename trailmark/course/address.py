"""A URL -> the parts of it that say what it leads to, and how two addresses stand to each other."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import unquote, urlsplit

_INDEX = re.compile(r"/(?:index|default|home)\.\w{3,5}$|/+$", re.IGNORECASE)
_LONGEST_ENDING = 6
_PACKED = ("gz", "z")
_SORTS = {
    "code": "c cc cpp h hpp cl el scala kt swift ts sql v vhd vhdl java py ml scm lisp lsp s asm m sml pl sh r rb go rs hs js cls pas ada f t",
    "bundle": "tar gz zip z tgz hqx sit exe jar bin rpm dmg",
    "data": "dat data in out csv input output json xml",
    "slides": "ppt pptx key odp",
    "media": "mp4 mov avi mpg mpeg wav au mp3 ram webm",
    "picture": "gif jpg jpeg png svg",
    "page": "html htm shtml php asp aspx cgi",
    "print": "ps pdf dvi eps doc docx tex rtf",
    "text": "txt text md",
    "notebook": "ipynb rmd",
}
_ENDINGS = {ending: sort for sort, endings in _SORTS.items() for ending in endings.split()}


@dataclass(frozen=True, slots=True)
class Address:
    """The parts of an address that say what it is."""

    scheme: str = ""
    host: str = ""
    folders: tuple[str, ...] = ()
    name: str = ""
    """The file's name without its ending, or the last folder's where it has none; of a mail address what stands before the @."""
    ending: str = ""
    """Without the point, in lower case; `/` for a folder."""
    fragment: str = ""
    query: str = ""

    @property
    def kind(self) -> str:
        """What sort of file its ending promises; `folder` or `none` where it has no ending that is known."""
        return _ENDINGS.get(self.ending, "folder" if self.ending == "/" else "none")

    @property
    def own_folders(self) -> tuple[str, ...]:
        """The folders that it stands in, itself among them where it is one."""
        return (*self.folders, self.name) if self.ending == "/" else self.folders


@lru_cache(maxsize=16384)
def address(url: str) -> Address:
    """A URL -> its parts, whatever it is."""
    try:
        split = urlsplit(url)
        host = (split.hostname or "").lower()
    except ValueError:
        return Address()
    if split.scheme in ("mailto", "news"):
        name, _, place = split.path.partition("@")
        return Address(split.scheme, place.lower(), (), name, "", "", split.query)
    *folders, last = [unquote(step) for step in split.path.split("/") if step] or [""]
    if split.path.endswith("/") and last:
        return Address(split.scheme, host, tuple(folders), last, "/", split.fragment, split.query)
    stem, ending = _stem(last)
    return Address(split.scheme, host, tuple(folders), stem, ending, split.fragment, split.query)


def _stem(name: str) -> tuple[str, str]:
    """A file's name -> (what stands before its ending, the ending); how it was packed is no ending."""
    stem, point, ending = name.rpartition(".")
    while ending.lower() in _PACKED and "." in stem:
        stem, point, ending = stem.rpartition(".")
    if not point or not stem or len(ending) > _LONGEST_ENDING:
        return name, ""
    return stem, ending.lower()


@lru_cache(maxsize=16384)
def place_of(url: str) -> str:
    """An address without what does not tell a page from others: its fragment, a closing slash, an `index.html`."""
    return _INDEX.sub("", url.partition("#")[0])


def same_page(url: str, other: str) -> bool:
    """Whether two addresses are those of one page."""
    return place_of(url) == place_of(other)


def folders_below(place: Address, home: Address) -> tuple[str, ...]:
    """The folders of an address without those that a course's home stands in, which say nothing of an item."""
    if place.host != home.host:
        return place.folders
    shared = 0
    for own, other in zip(place.folders, home.own_folders, strict=False):
        if own != other:
            break
        shared += 1
    return place.folders[shared:]


def relation(url: str, page: str, home: str) -> str:
    """Where an address leads, seen from the page that it stands on and from its course's home."""
    if same_page(url, page):
        return "section" if "#" in url else "itself"
    if same_page(url, home):
        return "home"
    place, own = address(url), address(home)
    if not place.scheme.startswith("http"):
        return place.scheme
    above, steps = own.own_folders, place.own_folders
    if place.host != own.host:
        return "institution" if place.host.split(".")[-2:] == own.host.split(".")[-2:] else "outside"
    if above and steps[: len(above)] == above:
        return "inside" if len(steps) > len(above) else "beside"
    return "site" if above else "inside"
