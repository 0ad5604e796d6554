import MediaContainers
import MediaTestSupport

/// A ZIP archive with the fewest bytes, as Takeout writes them.
struct TinyZIP {
  var files = [
    ("Takeout/Google Photos/Rome/", ""), ("Takeout/Google Photos/Rome/IMG_1.jpg", "picture"),
    ("Takeout/Google Photos/Rome/IMG_1-edited.jpg", "edited"),
    (
      "Takeout/Google Photos/Rome/IMG_1.jpg.supplemental-metadata.json",
      String(repeating: "{\"title\":\"IMG_1.jpg\"}", count: 9)
    ),
  ]
  /// Whether the sizes and offsets stand in the fields of 64 bits.
  var isZIP64 = false
  var isDeflated = true
  var comment = ""

  var bytes: [UInt8] {
    var file: [UInt8] = []
    var directory: [UInt8] = []
    for (name, text) in files { add(name, Array(text.utf8), &file, &directory) }
    let start = file.count
    file += directory
    if isZIP64 {
      let end = file.count
      file += little(0x0606_4B50) + little(44, 8) + little(45, 2) + little(45, 2) + little(0, 8)
      file += little(files.count, 8) + little(files.count, 8)
      file += little(directory.count, 8) + little(start, 8)
      file += little(0x0706_4B50) + little(0) + little(end, 8) + little(1)
    }
    file += little(0x0605_4B50) + little(0) + little(files.count, 2) + little(files.count, 2)
    file += narrow(directory.count) + narrow(start)
    return file + little(comment.utf8.count, 2) + Array(comment.utf8)
  }

  /// A field of 32 bits, or what says that the number stands elsewhere.
  private func narrow(_ value: Int) -> [UInt8] { little(isZIP64 ? 0xFFFF_FFFF : value) }

  private func add(
    _ name: String,
    _ content: [UInt8],
    _ file: inout [UInt8],
    _ directory: inout [UInt8]
  ) {
    let stored = isDeflated ? Self.deflated(content) : content
    var sum = CRC32()
    content.withUnsafeBytes { sum.update($0) }
    var extra: [UInt8] = []
    if isZIP64 {
      extra += little(1, 2) + little(24, 2) + little(content.count, 8)
      extra += little(stored.count, 8) + little(file.count, 8)
    }
    // The time of its last change, as a field of Info-ZIP.
    extra += little(0x5455, 2) + little(5, 2) + [1] + little(1_562_233_530)
    var shared = little(20, 2) + little(0, 2) + little(isDeflated ? 8 : 0, 2)
    shared += little(0x51EF, 2) + little(0x4EE4, 2) + little(Int(sum.value))
    shared += narrow(stored.count) + narrow(content.count) + little(name.utf8.count, 2)
    directory += little(0x0201_4B50) + little(20, 2) + shared + little(extra.count, 2)
    directory += little(0, 10) + narrow(file.count) + Array(name.utf8) + extra
    file += little(0x0403_4B50) + shared + little(0, 2) + Array(name.utf8) + stored
  }

  /// The data of a zlib stream, without its header and its checksum.
  private static func deflated(_ content: [UInt8]) -> [UInt8] {
    Array(Deflater(level: 6)?.stream(of: content).dropFirst(2).dropLast(4) ?? [])
  }
}
