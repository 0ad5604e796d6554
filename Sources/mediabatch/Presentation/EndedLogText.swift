internal import MediaMaintenance
internal import MediaModel
internal import MediaSyntax

/// The head that a command which is no run leaves, as text and as JSON.
enum EndedLogText {
  /// The line for a person who keeps the library's head; none when the log did not change.
  static func lines(_ log: EndedLog?, library: String) -> [String] {
    guard let log else { return [] }
    let head = "\(log.tree.size):\(log.tree.root)"
    let argument = ShellWord.quoted(EscapedText.printable(library))
    return [
      "If you keep the log's head, this is the new one: mediabatch audit verify \(argument) --expect-head \(head)"
    ]
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
