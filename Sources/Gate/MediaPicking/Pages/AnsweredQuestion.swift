package import MediaWorkerProtocol

/// An answer that was given on a page, as the last page of a series tells it.
package struct AnsweredQuestion: Sendable, Hashable {
  /// The bytes of a folder.
  private static let maximumLength = 4096

  package var access: AskedAccess
  package var choice: PageTask.Choice
  /// The items that were selected; 0 for other answers.
  package var count = 0
  /// The files of these items: a live photo has two.
  package var fileCount = 0
  /// The folder, made safe; empty for none.
  package var folder = ""
  /// The sources that it is about, where they have names.
  package var sources: [AskedSource] = []
  /// Whether it counts for later runs, so that it can be taken back.
  package var isStored = true

  package init(_ access: AskedAccess, _ choice: PageTask.Choice) {
    (self.access, self.choice) = (access, choice)
  }
}

extension AnsweredQuestion: WireValue {
  package func put(into writer: inout WireWriter) {
    writer.put(access.rawValue)
    writer.put(choice.rawValue)
    writer.put(UInt32(clamping: count))
    writer.put(UInt32(clamping: fileCount))
    writer.put(folder)
    writer.put(isStored)
    writer.put(list: sources)
  }

  package init(from reader: inout WireReader) throws(ProtocolError) {
    access = try reader.choice()
    choice = try reader.choice()
    count = Int(try reader.integer(UInt32.self))
    fileCount = Int(try reader.integer(UInt32.self))
    folder = try reader.text(limit: Self.maximumLength)
    isStored = try reader.bool()
    sources = try reader.list(limit: AskedSource.maximumCount)
  }
}
