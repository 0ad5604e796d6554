internal import MediaFileSystem
internal import MediaModel
internal import MediaPicking

/// Files in memory of which pictures are made, where a source's files cannot be opened by themselves.
///
/// A viewer can make no file once it is confined, so that these are made before. Without one a file has no picture.
struct ShownMemory {
  /// The most bytes of a file that has a picture.
  static let mostBytes: Int64 = 64 << 20

  /// The memory that no picture is made of, and that of which one is.
  private var free: [MemoryFile]
  private var shown: [ItemPath: MemoryFile] = [:]

  /// Makes the memory of so many pictures at once.
  init(count: Int) { free = (0..<count).compactMap { _ in try? MemoryFile() } }

  /// Gives a file memory.
  ///
  /// - Parameters:
  ///   - path: The file, until ``end(_:)``.
  ///   - fill: Writes its bytes; false when it cannot.
  /// - Returns: The memory, open for reading; nil without memory, and for a file whose picture is still being made.
  mutating func file(for path: ItemPath, _ fill: (MemoryFile) -> Bool) -> Descriptor? {
    // Memory that a worker still reads is not used again.
    guard shown[path] == nil, let memory = free.popLast() else { return nil }
    shown[path] = memory
    if fill(memory) { return memory.readable }
    end(path)
    return nil
  }

  /// Takes the memory of a file back, which no page reads any more.
  mutating func end(_ path: ItemPath) {
    guard let memory = shown.removeValue(forKey: path), (try? memory.clear()) != nil else { return }
    free.append(memory)
  }
}

extension PickCandidate {
  /// The sum of sizes, or the most that there is: they come from files and cameras that may lie.
  static func size(of sizes: some Sequence<Int64>) -> Int64 { sizes.reduce(0, Quantity.sum) }
}
