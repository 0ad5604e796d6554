internal import MediaModel
internal import MediaSyntax

/// What a picture's XMP packet says of a movie in its file; either value may be missing.
struct MotionPhotoStatement {
  /// The bytes from the movie's beginning to the end of the file.
  private var offset: Int?
  /// The movie's length in bytes.
  private var length: Int?

  private static let maximumTokens = 20_000

  /// Reads a packet; nil for one that does not state a movie.
  ///
  /// Within the list of the file's items names count without their prefixes: programs bind several to the
  /// namespaces of Google. Lengths are in bytes; one that is no number is as if it was not there.
  ///
  /// Source: Google, "Motion Photo format specification 1.0" (`Container:Directory`) and its predecessor with
  /// `GCamera:MicroVideoOffset`.
  init?(_ properties: XMPProperties, _ packet: [UInt8]) {
    func value(_ name: String) -> String? { properties[XMPNamespace.camera, name].first }
    if value("MicroVideo") == "1" {
      offset = value("MicroVideoOffset").flatMap { Int($0) }
    } else if value("MotionPhoto") == "1" {
      length = Self.length(in: packet)
    } else {
      return nil
    }
  }

  /// Returns the length of the item that is the movie.
  private static func length(in packet: [UInt8]) -> Int? {
    var tokenizer = XMLTokenizer(packet, normalizesLineEnds: false, maximumTokenCount: maximumTokens)
    var (name, semantic, length) = ("", "", "")
    func take(_ name: String, _ value: String) {
      if name.hasSuffix(":Semantic") { semantic = value }
      if name.hasSuffix(":Length") { length = value }
    }
    while let token = try? tokenizer.next() {
      switch token.content {
      case .start(let element, let attributes, _):
        name = element
        if name.hasSuffix(":li") { (semantic, length) = ("", "") }
        for (key, value) in attributes { take(key, value) }
      case .text(let text): take(name, text)
      case .end: name = ""
      case .comment, .instruction, .documentType: break
      }
      if semantic == "MotionPhoto", let length = Int(length) { return length }
    }
    return nil
  }

  /// Whether it is not true of a file of this length, in which `movie` was found.
  func isFalse(of movie: EmbeddedMovie?, fileLength: Int) -> Bool {
    guard let movie else { return true }
    let left = fileLength - movie.offset
    if let offset, offset != left { return true }
    // Some count what stands behind the movie.
    return length.map { $0 != movie.length && $0 != left } ?? false
  }
}
