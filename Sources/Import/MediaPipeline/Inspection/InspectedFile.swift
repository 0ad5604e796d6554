package import MediaModel

/// The metadata of one named file, or the reason that it could not be read.
package struct InspectedFile: Sendable, Hashable {
  /// The reason that a file was not inspected, or that `strip` would not publish it.
  package struct Problem: Sendable, Hashable {
    /// The kind of problem.
    package var reason: ItemReason
    /// A part of the container or the kernel's error text, never a value; escape it for display.
    package var detail: String
    /// Whether no file has this name.
    package var isMissing = false
  }

  /// The path as the person gave it.
  package var path: [UInt8]
  /// The file's length in bytes; nil when it was not opened.
  package var byteCount: UInt64?
  /// Facts about its content; nil until they are known. They contain no metadata values.
  package var facts: Facts?
  /// The metadata entries, in the order of the file.
  package var entries: [InspectedEntry] = []
  /// False when the file has more entries than are listed.
  package var isComplete = true
  /// The reason that `strip` would not publish this file, whatever the entries are.
  package var stripProblem: Problem?
  /// The reason that the file was not inspected; then it has no entries.
  package var problem: Problem?

  /// Makes a file of which only the path is known.
  package init(path: [UInt8]) {
    self.path = path
  }

  /// The number of entries that `strip` removes.
  package var removedCount: Int { entries.count(where: \.isRemoved) }
}
