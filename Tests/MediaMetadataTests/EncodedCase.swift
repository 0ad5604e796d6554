import MediaModel

/// A file that ffmpeg makes: its name, what ffmpeg is asked for, and the format that it has.
struct EncodedCase: CustomStringConvertible, Sendable {
  var description: String
  var arguments: [String]
  var format: MediaFormat

  init(_ name: String, _ arguments: String, _ format: MediaFormat) {
    description = name
    self.arguments = arguments.split(separator: " ").map { String($0) }
    self.format = format
  }
}
