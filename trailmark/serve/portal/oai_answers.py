"""OAI-PMH 2.0: arguments of a request -> the answer in XML. Nothing is remembered between two requests: the token with which a list goes on holds all that is needed.

Items that people hid, or made one with another, are told of as deleted for as long as what they said holds (`deletedRecord` is `transient`); those that were not
found again are not, since what is not here any more is not kept either.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlsplit

from trailmark.quoting import xml_attribute, xml_text
from trailmark.serve.portal.desk import Reading
from trailmark.serve.portal.page_html import Frame
from trailmark.serve.portal.shown_text import clean
from trailmark.verbs.portal_catalogue import DatedItem
from trailmark.verbs.portal_harvest import HarvestItem, HarvestPage, harvest_items, harvest_page, topic_sets
from trailmark.verbs.portal_topics import TopicNode

NOW = "@response-date@"
"""Stands for the moment of the answer, which is filled in when it leaves."""
KIND = "text/xml; charset=utf-8"
PREFIX = "oai_dc"
SIZE = 100
_DC = "http://www.openarchives.org/OAI/2.0/oai_dc/"
_SCHEMA = "http://www.openarchives.org/OAI/2.0/oai_dc.xsd"
_STATUS = {False: "", True: ' status="deleted"'}
_DATE = re.compile(r"\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\dZ)?")
_ALLOWED: Mapping[str, tuple[frozenset[str], frozenset[str]]] = {
    "Identify": (frozenset(), frozenset()),
    "ListMetadataFormats": (frozenset(), frozenset({"identifier"})),
    "ListSets": (frozenset(), frozenset({"resumptionToken"})),
    "ListIdentifiers": (frozenset({"metadataPrefix"}), frozenset({"from", "until", "set", "resumptionToken"})),
    "ListRecords": (frozenset({"metadataPrefix"}), frozenset({"from", "until", "set", "resumptionToken"})),
    "GetRecord": (frozenset({"identifier", "metadataPrefix"}), frozenset()),
}
"""Verb -> arguments that it needs, and that it may have."""


class OaiError(Exception):
    """One of the errors of the protocol."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


@dataclass(frozen=True, slots=True)
class _Wish:
    """What of a list is wanted."""

    first: str
    last: str
    name: str
    """Of the set."""
    after: tuple[str, str] = ("", "")
    cursor: int = 0


def oai_answer(reading: Reading, frame: Frame, contact: str, pairs: Sequence[tuple[str, str]]) -> str:
    """The arguments of a request as they came -> the whole answer."""
    arguments = dict(pairs)
    address = xml_text(frame.ways.whole(frame.ways.oai()))
    try:
        verb = _verb(pairs)
        _check(verb, arguments)
        body = f"<{verb}>{_body(reading, frame, contact, verb, arguments)}</{verb}>"
    except OaiError as error:
        plain = error.code in ("badVerb", "badArgument")
        request = f"<request>{address}</request>" if plain else _request(arguments, address)
        return _envelope(request, f'<error code="{error.code}">{xml_text(str(error))}</error>')
    return _envelope(_request(arguments, address), body)


def _verb(pairs: Sequence[tuple[str, str]]) -> str:
    verbs = [value for name, value in pairs if name == "verb"]
    if len(verbs) != 1 or verbs[0] not in _ALLOWED:
        raise OaiError("badVerb", f"Say one verb, one of {', '.join(_ALLOWED)}.")
    names = [name for name, _ in pairs]
    if len(names) != len(set(names)):
        raise OaiError("badArgument", "An argument stands there twice.")
    return verbs[0]


def _check(verb: str, arguments: Mapping[str, str]) -> None:
    needed, allowed = _ALLOWED[verb]
    said = arguments.keys() - {"verb"}
    if wrong := said - needed - allowed:
        raise OaiError("badArgument", f"{verb} has no argument {sorted(wrong)[0][:60]}.")
    if "resumptionToken" in said:
        if len(said) > 1:
            raise OaiError("badArgument", "A resumptionToken stands alone.")
        return
    if lacking := needed - said:
        raise OaiError("badArgument", f"{verb} needs the argument {sorted(lacking)[0]}.")
    if arguments.get("metadataPrefix", PREFIX) != PREFIX:
        raise OaiError("cannotDisseminateFormat", f"Records are to be had as {PREFIX} only.")


def _body(reading: Reading, frame: Frame, contact: str, verb: str, arguments: Mapping[str, str]) -> str:
    if verb == "Identify":
        return _identify(reading, frame, contact)
    if verb == "ListMetadataFormats":
        if "identifier" in arguments:
            _one(reading, frame, arguments["identifier"])
        return f"<metadataFormat><metadataPrefix>{PREFIX}</metadataPrefix><schema>{_SCHEMA}</schema><metadataNamespace>{_DC}</metadataNamespace></metadataFormat>"
    sets = topic_sets(reading.catalogue.topics)
    if verb == "ListSets":
        if "resumptionToken" in arguments:
            raise OaiError("badResumptionToken", "The list of sets is given whole.")
        return _sets(sets)
    if verb == "GetRecord":
        items = harvest_items(reading.catalogue, reading.library, (_one(reading, frame, arguments["identifier"]),))
        if not items:
            raise OaiError("idDoesNotExist", "There is no such item.")
        return _record(items[0], frame, sets)
    return _list(reading, frame, verb, arguments, sets)


def _identify(reading: Reading, frame: Frame, contact: str) -> str:
    host = _host(frame)
    mail = contact if re.fullmatch(r"[^\s@<>]+@[^\s@<>]+", contact) else f"postmaster@{host}"
    earliest = [item.date for item in reading.catalogue.dated()[:1]] or ["1970-01-01T00:00:00Z"]
    return (
        f"<repositoryName>{_text(frame.name)}</repositoryName><baseURL>{xml_text(frame.ways.whole(frame.ways.oai()))}</baseURL>"
        f"<protocolVersion>2.0</protocolVersion><adminEmail>{xml_text(mail)}</adminEmail><earliestDatestamp>{earliest[0]}</earliestDatestamp>"
        "<deletedRecord>transient</deletedRecord><granularity>YYYY-MM-DDThh:mm:ssZ</granularity>"
    )


def _sets(sets: Mapping[str, TopicNode]) -> str:
    if not sets:
        raise OaiError("noSetHierarchy", "There are no topics here yet.")
    return "".join(
        f"<set><setSpec>{xml_text(name)}</setSpec><setName>{_text(node.name)}</setName></set>"
        for name, node in sets.items()
    )


def _list(
    reading: Reading, frame: Frame, verb: str, arguments: Mapping[str, str], sets: Mapping[str, TopicNode]
) -> str:
    wish = _wish(arguments)
    if wish.name and not sets:
        raise OaiError("noSetHierarchy", "There are no topics here yet.")
    if wish.name and wish.name not in sets:
        raise OaiError("noRecordsMatch", "There is no such set.")
    topic = sets[wish.name].id if wish.name else ""
    page = harvest_page(reading.catalogue, first=wish.first, last=wish.last, topic=topic, after=wish.after, size=SIZE)
    if not page.items:
        raise OaiError("noRecordsMatch", "No item is as you ask.")
    items = harvest_items(reading.catalogue, reading.library, page.items)
    write = _header if verb == "ListIdentifiers" else _record
    return "".join(write(item, frame, sets) for item in items) + _resumption(wish, page)


def _wish(arguments: Mapping[str, str]) -> _Wish:
    if "resumptionToken" in arguments:
        return _from_token(arguments["resumptionToken"])
    first, last = arguments.get("from", ""), arguments.get("until", "")
    for date in (first, last):
        if date and not _is_date(date):
            raise OaiError("badArgument", "Dates are to be written as YYYY-MM-DD or YYYY-MM-DDThh:mm:ssZ.")
    if first and last and len(first) != len(last):
        raise OaiError("badArgument", "The two dates are to be written alike.")
    if first and last and first > last:
        raise OaiError("badArgument", "The first date is after the last.")
    return _Wish(first, f"{last}T23:59:59Z" if len(last) == 10 else last, arguments.get("set", ""))


def _is_date(text: str) -> bool:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return _DATE.fullmatch(text) is not None


def _resumption(wish: _Wish, page: HarvestPage) -> str:
    """How the list goes on; the last part of a long one says so with an empty token."""
    about = f'completeListSize="{page.total}" cursor="{wish.cursor}"'
    if page.last is None:
        return f"<resumptionToken {about}/>" if wish.cursor else ""
    parts = [wish.first, wish.last, wish.name, *page.last, wish.cursor + len(page.items)]
    token = base64.urlsafe_b64encode(json.dumps(parts).encode()).decode("ascii").rstrip("=")
    return f"<resumptionToken {about}>{token}</resumptionToken>"


def _from_token(token: str) -> _Wish:
    wrong = OaiError("badResumptionToken", "That token is none of ours, or too old: begin the list again.")
    try:
        parts = json.loads(base64.urlsafe_b64decode(token + "=" * (-len(token) % 4)))
        first, last, name, date, address, cursor = parts
    except (ValueError, binascii.Error, TypeError, RecursionError):
        raise wrong from None
    texts = (first, last, name, date, address)
    if not all(isinstance(text, str) and len(text) < 2000 for text in texts) or type(cursor) is not int:
        raise wrong
    if not (0 < cursor < 2**40 and _is_date(date) and all(not day or _is_date(day) for day in (first, last))):
        raise wrong
    return _Wish(first, last, name, (date, address), cursor)


def _one(reading: Reading, frame: Frame, identifier: str) -> DatedItem:
    """The item of an identifier; one that it had before, and that it has no more though nobody took it away, leads to the one that it has."""
    begins = f"oai:{_host(frame)}:"
    address = identifier.removeprefix(begins) if identifier.startswith(begins) else ""
    shelf = reading.catalogue.shelf
    item = reading.catalogue.dated_item(address) if address else None
    places = shelf.find(address) if address and item is None else ()
    if len(places) == 1:
        item = reading.catalogue.dated_item(shelf.addresses[places[0]])
    if item is None:
        raise OaiError("idDoesNotExist", "There is no such item.")
    return item


def _header(item: HarvestItem, frame: Frame, sets: Mapping[str, TopicNode]) -> str:
    own = {node.id for node in item.topics}
    specs = "".join(f"<setSpec>{xml_text(name)}</setSpec>" for name, node in sets.items() if node.id in own)
    return (
        f"<header{_STATUS[item.found is None]}><identifier>{xml_text(f'oai:{_host(frame)}:{item.address}')}</identifier>"
        f"<datestamp>{xml_text(item.date)}</datestamp>{specs}</header>"
    )


def _record(item: HarvestItem, frame: Frame, sets: Mapping[str, TopicNode]) -> str:
    if item.found is None:
        return f"<record>{_header(item, frame, sets)}</record>"
    entry = item.found.entry
    values = [
        ("title", entry.title),
        *(("creator", name) for name in item.found.authors),
        *(("subject", node.name) for node in item.topics),
        ("description", entry.summary),
        ("date", str(entry.year) if entry.year is not None else ""),
        ("type", entry.kind),
        ("identifier", frame.ways.whole(frame.ways.item(entry.address))),
        ("source", entry.url),
    ]
    written = "".join(f"<dc:{name}>{_text(value)}</dc:{name}>" for name, value in values if value)
    return (
        f'<record>{_header(item, frame, sets)}<metadata><oai_dc:dc xmlns:oai_dc="{_DC}" xmlns:dc="http://purl.org/dc/elements/1.1/" '
        f'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="{_DC} {_SCHEMA}">{written}</oai_dc:dc></metadata></record>'
    )


def _envelope(request: str, body: str) -> str:
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/" '
        'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" '
        'xsi:schemaLocation="http://www.openarchives.org/OAI/2.0/ http://www.openarchives.org/OAI/2.0/OAI-PMH.xsd">'
        f"<responseDate>{NOW}</responseDate>{request}{body}</OAI-PMH>\n"
    )


def _request(arguments: Mapping[str, str], address: str) -> str:
    said = "".join(f" {name}={xml_attribute(value)}" for name, value in arguments.items())
    return f"<request{said}>{address}</request>"


def _host(frame: Frame) -> str:
    return urlsplit(frame.ways.origin).hostname or "localhost"


def _text(text: str) -> str:
    return xml_text(clean(text))
