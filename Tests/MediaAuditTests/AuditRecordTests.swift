import Foundation
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

@testable import MediaAudit

struct AuditRecordTests {
  @Test("A reader in another language finds the same chain")
  func independentReader() throws {
    let log = try SampleLog(tornBytes: 70)
    let folder = TemporaryFolder()
    for file in log.files { try writeFile(folder.path + "/" + file.name, file.bytes) }
    let script = folder.path + "/verify.py"
    try Data(Self.script.utf8).write(to: URL(fileURLWithPath: script))
    let result = try Tool.run("python3", [script, folder.path])
    #expect(result.status == 0, "\(result.error)")
    #expect(result.output == log.heads[1] + "\n")
    var bytes = log.files[0].bytes
    bytes[400] ^= 1
    try writeFile(folder.path + "/" + log.files[0].name, bytes)
    #expect(try Tool.run("python3", [script, folder.path]).status != 0)
  }

  /// The script of docs/audit-log.md.
  static let script = #"""
    import glob, hashlib, json, os, sys

    head, before, heads, unbound = "0" * 64, None, {}, set()
    for path in sorted(glob.glob(os.path.join(sys.argv[1], "*.ndjson"))):
        name = os.path.basename(path)
        data = open(path, "rb").read()
        lines = data.split(b"\n")
        torn = lines.pop()  # empty, unless the run was cut off in the middle of a line
        for number, line in enumerate(lines, 1):
            record = json.loads(line)
            if number == 1 and before and record["previous"] is None \
                    and record["file"] == "000001-" + name.split("-")[1]:
                # The log of a shard: only a merge binds the file before it.
                unbound, head, before = unbound | {last}, "0" * 64, None
            if record["prev"] != head or record["seq"] != number:
                sys.exit(f"{path}, line {number}: does not continue the line before")
            if number == 1 and before:
                said = record["previous"]
                if (said["head"], said["bytes"], said["tornBytes"]) != (head, *before):
                    sys.exit(f"{path}: the file before is not the one that this run found")
            if record["event"] == "merged":
                if heads.get(record["file"]) != record["head"]:
                    sys.exit(f"{path}, line {number}: {record['file']} is another, or missing")
                unbound -= {record["file"]}
            head = hashlib.sha256(line).hexdigest()
        before, last, heads[name] = (len(data) - len(torn), len(torn)), name, head
    if unbound:
        sys.exit(f"no merge has taken over {', '.join(sorted(unbound))}")
    print(head)

    """#

  @Test("The script in the documentation is the one that is tested")
  func documentedScript() throws {
    let document = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("docs/audit-log.md")
    let text = try String(contentsOf: document, encoding: .utf8)
    #expect(text.contains("```python\n" + Self.script + "```"))
  }

  @Test("Every record is canonical: sorted keys, no floats, read back to the same bytes")
  func canonical() throws {
    let log = try SampleLog()
    for index in [0, 1] {
      for line in log.lines(index) {
        let members = try #require(CanonicalJSON.members(of: Array(line.dropLast())))
        #expect(JSONValue.object(members).serialized == Array(line.dropLast()))
        for key in ["seq", "time", "run", "event", "prev"] { #expect(members[key] != nil) }
      }
    }
  }

  @Test("Nothing raw from a name, a person or a worker is in a record")
  func hostileText() throws {
    let hostile = "a\u{1b}[31m\u{202e}\n::error::x\u{7f}\u{85}\u{2028}"
    var opening = SampleLog.opening
    opening.clientName = hostile
    opening.host = hostile
    opening.user = hostile
    let output = OutputFile(path: ItemPath(bytes: Array(hostile.utf8) + [0xFF]), sha256: "", bytes: 0)
    var item = Outcome(source: .camera, path: output.path, outcome: .imported)
    item.localIdentifier = hostile
    item.output = output
    item.removed = [RemovedMetadata(name: hostile, count: .max)]
    item.thumbnails = [Outcome.Thumbnail(name: hostile, file: output)]
    var listing = AuditListing()
    listing.path = output.path
    listing.resolvedPath = ItemPath(bytes: Array(hostile.utf8))
    var access = AuditAccess()
    (access.path, access.modified) = (output.path, .min)
    let records: [AuditRecord] = [
      .run(file: try #require(AuditFileName(number: 1, run: "r")), previous: nil, opening: opening),
      AuditRecord(listing), AuditRecord(access), .outcome(item),
      AuditRecord(AuditFileChange(.superseded, output, of: hostile)),
    ]
    for record in records {
      var members = record.members
      var bytes: [UInt8] = []
      CanonicalLine.write(&members, to: &bytes)
      #expect(bytes == JSONValue.object(record.fields).serialized)
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(Array(text.utf8) == bytes)
      #expect(text.unicodeScalars.allSatisfy { EscapedText.isPrintable($0) }, "\(record.event)")
      #expect(CanonicalJSON.members(of: bytes) == record.fields)
    }
  }

  @Test("A worker cannot make a record longer than the verifier reads")
  func boundedRecord() throws {
    let removed = (0..<2000).map {
      RemovedMetadata(name: "\($0)" + String(repeating: "\u{202e}", count: 500), count: 1)
    }
    let path = ItemPath(bytes: [UInt8](repeating: 0xFF, count: 4096))
    var item = Outcome(source: .camera, path: path, outcome: .imported)
    item.removed = removed
    let record = AuditRecord.outcome(item)
    let bytes = JSONValue.object(record.fields).serialized
    #expect(bytes.count < AuditLines.maximumRecordBytes / 4)
    guard case .array(let values) = record.fields["removed"] else {
      Issue.record("no list")
      return
    }
    #expect(values.count == MetadataTag.count)
  }

  @Test("The hash of a list does not depend on its order, but on every path's bytes")
  func listHash() throws {
    let paths = ["b", "a", "a/b"].map { ItemPath(bytes: Array($0.utf8)) }
    let hash = AuditRecord.listSHA256(paths)
    #expect(hash == AuditRecord.listSHA256(paths.reversed()))
    #expect(hash != AuditRecord.listSHA256(Array(paths.dropLast())))
    // printf 'a\0a/b\0b\0' | sha256sum
    let check = try Tool.run(
      "python3",
      ["-c", "import hashlib;print(hashlib.sha256(b'a\\0a/b\\0b\\0').hexdigest())"]
    )
    #expect(check.output == hash + "\n")
  }

  @Test("What is not canonical is not read")
  func strictReader() throws {
    for text in [
      "", "{", "}", "[]", "1", "{} ", " {}", "{}{}", #"{"b":1,"a":1}"#, #"{"a":1,"a":1}"#,
      #"{"a": 1}"#, #"{"a":01}"#, #"{"a":-0}"#, #"{"a":1.0}"#, #"{"a":1e3}"#, #"{"a":+1}"#,
      #"{"a":9223372036854775808}"#, #"{"a":-}"#, #"{"a":"\u0041"}"#, #"{"a":"\u001F"}"#,
      #"{"a":"\u000a"}"#, #"{"a":"\/"}"#, #"{"a":"\"}"#, "{\"a\":\"\t\"}", #"{"a":tru}"#,
      #"{"a":nulll}"#, #"{"a":[1,]}"#, #"{"a":1,}"#, #"{"\u0001":1}"#, #"{"a"}"#, #"{"a":}"#,
      #"{"a":"\u00"#, String(repeating: #"{"a":"#, count: 1000),
      #"{"a":"# + String(repeating: "[", count: 100_000),
    ] {
      #expect(CanonicalJSON.members(of: Array(text.utf8)) == nil, "\(text.prefix(40))")
      #expect(CanonicalJSON.members(of: Array(text.utf8), keys: []) == nil, "\(text.prefix(40))")
    }
    #expect(CanonicalJSON.members(of: Array(#"{"a":""#.utf8) + [0xC0, 0x80, 0x22, 0x7D]) == nil)
    #expect(
      CanonicalJSON.members(of: Array(#"{"a":-9223372036854775808,"b":[{},[],true,null]}"#.utf8))
        == ["a": .integer(.min), "b": [[:], [], true, .null]]
    )
  }
}

extension AuditRecord {
  var fields: [String: JSONValue] {
    Dictionary(uniqueKeysWithValues: members.map { ($0.key, $0.value) })
  }
}
