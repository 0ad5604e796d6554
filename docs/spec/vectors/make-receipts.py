#!/usr/bin/env python3
"""Makes the vectors of receipts of consent by the specification alone (stored-answers.md, sections 3 and 5).

make-receipts.py FOLDER   FOLDER takes the vectors; each run makes the same bytes. The verdicts are written here by hand."""
import copy, hashlib, json, os, sys

ZEROS, CLIENT, MANIFEST = "0" * 64, "org.example.vectors", "/home/somebody/vectors.json"
WORDS = {"en": "The vectors have pictures.", "de": "Die Vektoren haben Bilder."}
CONTEXT = {"dct": "http://purl.org/dc/terms/", "dpv": "https://w3id.org/dpv#", "loc": "https://w3id.org/dpv/loc#",
    "mb": "urn:mediabatch:receipts/1:", "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#", "schema": "https://schema.org/",
    "xsd": "http://www.w3.org/2001/XMLSchema#"}
SCHEMA = "https://w3id.org/dpv/schema/dpv-27560#"


def digest(text): return hashlib.sha256(text.encode()).hexdigest()
def canonical(value): return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
def time(text): return {"@type": "xsd:dateTime", "@value": text}


def answer(status, reason, words, **others):
    language = others.pop("language", None)
    return {"status": status, "reason": reason, "usageTextSHA256": digest(words), "manifest": MANIFEST, "folder": None,
        "decidedAt": 1795659599, "expiresAt": None, "forOneRun": False, "selection": None} | (
        {"usageTextLanguage": language} if language else {}) | others


def transitions():
    """Each kind of change, with the answer that it is about and the statuses that a receipt gives it."""
    camera = answer("authorized", "userConsent", WORDS["en"], expiresAt=1798251599)
    limited = answer("limited", "picker", WORDS["de"], language="de", shownCount=12, selection={"count": 2, "sha256": digest("a\0b\0")})
    denied, once = answer("denied", "userSet", WORDS["en"]), answer("authorized", "userSet", WORDS["en"], forOneRun=True)
    return [("camera", "notDetermined", "answered", camera, camera, ["ConsentGiven"]),
        ("library", "notDetermined", "answered", limited, limited, ["ConsentGiven"]),
        ("camera", "authorized", "answered", camera, camera, ["RenewedConsentGiven"]),
        ("camera", "authorized", "reset", None, camera, ["ConsentWithdrawn"]),
        ("library", "limited", "answered", denied, denied, ["ConsentRefused", "ConsentWithdrawn"]),
        ("library", "denied", "reset", None, denied, ["ConsentUnknown"]),
        ("camera", "notDetermined", "answered", once, once, ["ConsentGiven"]),
        ("camera", "authorized", "takenUp", None, once, ["ConsentExpired"])]


def chain():
    texts, before = [], ZEROS
    for seq, (source, was, cause, now, _, _) in enumerate(transitions(), 1):
        texts.append(canonical({"seq": seq, "prev": before, "time": f"2026-11-21T01:44:{seq:02}.123456Z", "event": "transition",
            "client": CLIENT, "source": source, "level": "readWrite", "manifest": MANIFEST, "from": was,
            "to": now["status"] if now else "notDetermined", "cause": cause, "run": "vectors" if cause == "takenUp" else None, "answer": now}))
        before = digest(texts[-1])
    return texts


def node(seq, text):
    source, _, cause, now, about, statuses = transitions()[seq - 1]
    is_grant = statuses[0] in ("ConsentGiven", "RenewedConsentGiven")
    status = {"@type": ["dpv:" + word for word in statuses], "mb:cause": cause, "dpv:isIndicatedAtTime": time(json.loads(text)["time"]),
        "dpv:isIndicatedBy": {"@id": "dpv:DataSubject"}}
    if now:
        duration = {"@type": "dpv:UntilEventDuration"}
        if now["forOneRun"]: duration = {"@type": "dpv:FixedOccurrencesDuration", "rdf:value": 1}
        elif now["expiresAt"]: duration = {"@type": "dpv:UntilTimeDuration", "rdf:value": time("2026-12-26T02:19:59Z")}
        status["dpv:hasDuration"] = duration
    words = next(one for one in WORDS.values() if digest(one) == about["usageTextSHA256"])
    language = about.get("usageTextLanguage")
    notice = {"@type": "dpv:ConsentNotice", "mb:sha256": digest(words),
        "dct:description": {"@language": language, "@value": words} if language else words}
    if language: notice["dct:language"] = language
    if "shownCount" in about: notice["mb:shownCount"] = about["shownCount"]
    if about["selection"]: notice["mb:selectedCount"] = about["selection"]["count"]
    record = {"@id": f"urn:mediabatch:answer:{digest(text)}", "@type": "dpv:ConsentRecord", "dct:conformsTo": {"@id": SCHEMA + "record"},
        "mb:seq": seq, "mb:hash": digest(text), "dpv:hasConsentStatus": status, "dpv:hasNotice": [notice], "mb:notStated": ["controller.name"],
        "dpv:hasProcess": {"@type": "dpv:Process", "mb:source": source, "mb:level": "readWrite",
            "dpv:hasService": {"@type": "dpv:Service", "dct:identifier": CLIENT}} | (
            {"dpv:hasLegalBasis": {"@id": "dpv:ExplicitlyExpressedConsent"}} if is_grant else {})}
    if statuses[0] in ("ConsentRefused", "ConsentUnknown"): return record
    return {"@id": f"urn:mediabatch:receipt:{digest(text)}", "@type": "dpv:ConsentReceipt", "dct:conformsTo": {"@id": SCHEMA + "receipt"},
        "dpv:hasRecordOfActivity": record}


def document(first=1, names=True):
    texts = chain()
    last = {"@id": "urn:mediabatch:answers:" + digest(texts[-1]), "@type": "mb:Chain", "mb:head": digest(texts[-1]),
        "mb:records": len(texts), "mb:quotedBy": [{"@type": "mb:Quote", "mb:log": "000002-vectors.ndjson", "mb:head": digest(texts[6])}]}
    if names: last["mb:chain"] = {"@list": texts[first - 1:]}
    return {"@context": CONTEXT, "@graph": [node(seq, text) for seq, text in enumerate(texts, 1) if seq >= first] + [last]}


def main(target):
    names = []
    def vector(name, about, value, verdict="good", proved=True):
        names.append(name)
        os.makedirs(f"{target}/{name}", exist_ok=True)
        expected = {"schema": "mediabatch.vector/1", "kind": "receipt", "about": about, "verdict": verdict,
            "exitCode": 0 if verdict == "good" else 65, "proved": proved and verdict == "good"}
        for file, content in (("document.jsonld", canonical(value) + "\n"), ("expected.json", json.dumps(expected, indent=2) + "\n")):
            with open(f"{target}/{name}/{file}", "w") as output: output.write(content)
    def bad(name, about, change, **words):
        value = copy.deepcopy(document(**words))
        change(value["@graph"])
        vector("receipt-bad-" + name, about, value, "refused")
    def record(one): return one.get("dpv:hasRecordOfActivity", one)
    vector("receipt-good", "Each kind of answer and end, with the records of the chain.", document())
    vector("receipt-good-later", "The first records of the chain are about no answer of the document.", document(first=5))
    vector("receipt-good-without-names", "Without records nothing is proved.", document(names=False), proved=False)
    bad("words", "The words are others.", lambda graph: record(graph[0])["dpv:hasNotice"][0].update({"dct:description": "Other words."}), names=False)
    bad("refusal-in-receipt", "A refusal is a receipt.", lambda graph: graph.__setitem__(4, {"@type": "dpv:ConsentReceipt",
        "dct:conformsTo": {"@id": SCHEMA + "receipt"}, "dpv:hasRecordOfActivity": graph[4]}), names=False)
    bad("consent-alone", "A consent is a record without a receipt.", lambda graph: graph.__setitem__(0, record(graph[0])), names=False)
    bad("legal-basis", "A refusal has a legal basis.", lambda graph: graph[4]["dpv:hasProcess"].update(
        {"dpv:hasLegalBasis": {"@id": "dpv:ExplicitlyExpressedConsent"}}), names=False)
    bad("changed-record", "A record of the chain was changed.", lambda graph: graph[-1]["mb:chain"]["@list"].__setitem__(
        2, graph[-1]["mb:chain"]["@list"][2].replace("userConsent", "userSet")))
    bad("missing-record", "A record of the chain is missing.", lambda graph: graph[-1]["mb:chain"]["@list"].pop(2))
    bad("cut-chain", "The last record of the chain is missing.", lambda graph: graph[-1]["mb:chain"]["@list"].pop())
    bad("other-head", "The head is that of the record before.", lambda graph: graph[-1].update({"mb:head": record(graph[6])["mb:hash"]}))
    bad("other-time", "The answer has another time.", lambda graph: record(graph[0])["dpv:hasConsentStatus"].update(
        {"dpv:isIndicatedAtTime": time("2026-11-21T01:44:02.123456Z")}))
    bad("other-count", "More names were shown than the chain says.", lambda graph: record(graph[1])["dpv:hasNotice"][0].update({"mb:shownCount": 13}))
    bad("other-end", "A grant holds longer than the chain says.", lambda graph: record(graph[0])["dpv:hasConsentStatus"]["dpv:hasDuration"].update(
        {"rdf:value": time("2027-12-26T02:19:59Z")}))
    bad("withdrawal-as-grant", "A withdrawal is called a grant.", lambda graph: (
        record(graph[3])["dpv:hasConsentStatus"].update({"@type": ["dpv:ConsentGiven"]}),
        record(graph[3])["dpv:hasProcess"].update({"dpv:hasLegalBasis": {"@id": "dpv:ExplicitlyExpressedConsent"}})))
    bad("end-of-another", "A withdrawal has the words of another answer.", lambda graph: record(graph[3])["dpv:hasNotice"].__setitem__(
        0, {"@type": "dpv:ConsentNotice", "mb:sha256": digest(WORDS["de"]), "dct:description": WORDS["de"]}))
    bad("longer", "A grant that expires is said to stay.", lambda graph: record(graph[0])["dpv:hasConsentStatus"].update(
        {"dpv:hasDuration": {"@type": "dpv:UntilEventDuration"}}))
    value = document()
    value["@context"] = CONTEXT | {"dpv": "https://example.org/"}
    vector("receipt-bad-context", "A prefix means something else.", value, "refused")
    sums = f"{os.path.dirname(os.path.realpath(__file__))}/SHA256SUMS"
    lines = [line for line in open(sums) if line[66:].split("/")[0] not in names]
    for name in names:
        for file in ("document.jsonld", "expected.json"):
            lines.append(f"{hashlib.sha256(open(f'{target}/{name}/{file}', 'rb').read()).hexdigest()}  {name}/{file}\n")
    with open(f"{target}/SHA256SUMS", "w") as file: file.writelines(sorted(lines, key=lambda line: line[66:]))


main(sys.argv[1])
