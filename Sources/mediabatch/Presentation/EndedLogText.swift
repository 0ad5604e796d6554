internal import MediaFileSystem
internal import MediaMaintenance
internal import MediaModel
internal import MediaSyntax

/// The head that a command which is no run leaves, as text and as JSON.
enum EndedLogText {
  /// The line about the new head, which is there where an authority has an earlier one; none when the log did not
  /// change.
  static func lines(_ log: EndedLog?, library: [UInt8]) -> [String] {
    guard let log else { return [] }
    let argument = ShellWord.quoted(EscapedText.printable(String(decoding: library, as: UTF8.self)))
    let command = "mediabatch audit verify \(argument)"
    return [
      hasTimestamp(library)
        ? "A timestamp has an earlier head of the log. The new one: \(command) --expect-head "
          + "\(log.tree.size):\(log.tree.root)"
        : "The log has a new head, which this shows: \(command)"
    ]
  }

  /// Whether a timestamp lies beside a head of the log.
  private static func hasTimestamp(_ library: [UInt8]) -> Bool {
    guard let audit = try? FileSystem.openFolder(library + Array("/Audit".utf8)),
      let entries = try? FileSystem.entries(of: audit)
    else { return false }
    return entries.contains { $0.name.suffix(4).elementsEqual(".tsr".utf8) }
  }

  /// The member `audit`, as a run's summary has it; null when the log did not change.
  static func object(_ log: EndedLog?) -> JSONValue {
    log == nil ? .null : .object(members(log))
  }

  /// The same without braces; empty when the log did not change.
  static func members(_ log: EndedLog?) -> [String: JSONValue] {
    guard let log else { return [:] }
    return [
      "file": .string(log.file), "records": JSONValue(log.records),
      "head": .string(log.head), "size": JSONValue(log.tree.size),
      "root": .string(log.tree.root), "signed": JSONValue(log.signed),
    ]
  }
}
