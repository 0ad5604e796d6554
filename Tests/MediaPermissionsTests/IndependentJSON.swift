import Foundation
import MediaTestSupport

/// Texts as Python's `json` reads them: the reader that has no part in what is tested.
enum IndependentJSON {
  static let isAvailable = Tool.exists("python3")

  /// What one text is to a strict reader and to a lenient one.
  struct Reading {
    /// Nil when the strict reader refuses it.
    var strict: [String: Any]?
    /// As a reader gives it that takes the last of two equal keys.
    var lenient: [String: Any]?
  }

  /// Reads texts of one hexadecimal line each; strict refuses what is no UTF-8, starts with a byte
  /// order mark, has a key twice, or holds a number, a half surrogate pair or a NUL that JSON allows
  /// and a manifest does not. The answer is one JSON text a line, so nothing is ambiguous in it.
  private static let script = """
    import json, sys

    def pairs(members):
        if len({key for key, _ in members}) < len(members):
            raise ValueError("a key twice")
        return dict(members)

    def refuse(word):
        raise ValueError(word)

    def check(value):
        if isinstance(value, str):
            value.encode()
            if "\\0" in value: raise ValueError("NUL")
        elif isinstance(value, dict):
            for key, member in value.items(): check(key); check(member)
        elif isinstance(value, list):
            for member in value: check(member)

    def read(text, **options):
        try:
            value = json.loads(text.decode(), **options)
            check(value)
            return value if isinstance(value, dict) else None
        except (ValueError, RecursionError):
            return None

    for line in open(sys.argv[1]):
        text = bytes.fromhex(line.strip())
        # No number beyond what a double holds, which could not be written again.
        numbers = dict(parse_constant=refuse, parse_float=lambda digits: 0.5)
        strict = read(text, object_pairs_hook=pairs, **numbers)
        print(json.dumps([strict, read(text, **numbers)]))
    """

  static func read(_ texts: [[UInt8]]) throws -> [Reading] {
    let folder = TemporaryFolder()
    let file = folder.path + "/texts"
    let lines = texts.map { bytes in
      let digits = Array("0123456789abcdef".utf8)
      return bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    }
    try Data(lines.joined(separator: [0x0A])).write(to: URL(fileURLWithPath: file))
    let result = try Tool.run("python3", ["-c", script, file])
    guard result.status == 0 else { throw CocoaError(.fileReadCorruptFile) }
    return result.output.split(separator: "\n").map { line in
      let pair = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [Any]
      return Reading(strict: pair?[0] as? [String: Any], lenient: pair?[1] as? [String: Any])
    }
  }
}
