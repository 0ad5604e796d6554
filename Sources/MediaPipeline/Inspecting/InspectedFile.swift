package import MediaModel

/// What one named file says about itself, or why that could not be found out.
package struct InspectedFile: Sendable, Hashable {
  /// Why a file was not inspected, or why `strip` would not publish it.
  package struct Problem: Sendable, Hashable {
    package var reason: ItemReason
    /// A part of the container or the kernel's word, never a value; escape it before it is shown.
    package var detail: String
    /// Whether nothing has that name.
    package var isMissing = false
  }

  /// As the person named it.
  package var path: [UInt8]
  /// The whole file, in bytes; nil when it was not opened.
  package var byteCount: UInt64?
  /// What it is by its content; nil until that is known. No values of its metadata.
  package var facts: Facts?
  /// In the order of the file.
  package var entries: [InspectedEntry] = []
  /// False when the file has more entries than are listed.
  package var isComplete = true
  /// Why `strip` would not publish this file, whatever the entries say.
  package var stripProblem: Problem?
  /// Why the file was not inspected; it has no entries then.
  package var problem: Problem?

  package init(path: [UInt8]) {
    self.path = path
  }

  /// How many of the entries `strip` takes out.
  package var removedCount: Int { entries.count(where: \.isRemoved) }
}
