import Foundation
import MediaTestSupport
import Testing

/// The small media that the project holds itself, see `Manifests/media/PROVENANCE.md`.
enum Samples {
  static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Manifests/media").path

  /// JPEG; stored in EXIF orientation 1 to 8.
  static func photo(_ orientation: Int) -> String {
    folder + "/DCIM/100MEDIA/IMG_000\(orientation).JPG"
  }
  static let png = folder + "/DCIM/100MEDIA/IMG_0009.PNG"
  static let video = folder + "/DCIM/100MEDIA/MOV_0010.MP4"
  static let harbour = folder + "/Photos/2026/harbour.jpg"
  static let sound = folder + "/Voice/memo.wav"
  /// The two halves of a live photo.
  static let still = folder + "/Photos/2026/IMG_0041.JPG"
  static let movie = folder + "/Photos/2026/IMG_0041.MOV"
}

/// Readers and makers that are not the program under test.
enum Independent {
  static func sha256(_ path: String) throws -> String {
    let result = try Tool.run("sha256sum", ["--zero", path])
    try #require(result.status == 0, "\(result.error)")
    return String(result.output.prefix(64))
  }

  /// Width and height of the stored picture, as ImageMagick decodes it.
  static func size(_ path: String) throws -> [Int] {
    let result = try Tool.run("identify", ["-format", "%w %h\\n", path + "[0]"])
    try #require(result.status == 0, "\(result.error)")
    return result.output.split(whereSeparator: \.isWhitespace).prefix(2).compactMap { Int($0) }
  }

  /// ImageMagick's signature of the pixels as stored: no orientation, no profile applied.
  static func pixels(_ path: String) throws -> String {
    let signature = try Tool.run("identify", ["-format", "%#\\n", path])
    try #require(signature.status == 0, "\(signature.error)")
    return signature.output
  }

  /// The average colors of the hundred regions of a tenth by a tenth of a picture, row by row: red,
  /// green, blue, 0 to 255.
  static func tenths(_ path: String) throws -> [[Int]] {
    let result = try Tool.run("convert", [path, "-scale", "10x10!", "-depth", "8", "txt:-"])
    try #require(result.status == 0, "\(result.error)")
    let colors = result.output.split(separator: "\n").dropFirst().map { line in
      (line.split(separator: "(").dropFirst().first?.split(separator: ")").first ?? "")
        .split(separator: ",").prefix(3).compactMap { Double($0).map { Int($0) } }
    }
    try #require(colors.count == 100)
    return colors
  }

  /// What exiftool lists of a file: `Group:Tag` to its value; the file system's own left out.
  static func exif(_ path: String) throws -> [String: String] {
    let result = try Tool.run("exiftool", ["-a", "-G1", "-s", "-ee", "-U", "-n", "-j", path])
    let list = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [[String: Any]]
    var tags: [String: String] = [:]
    for (key, value) in try #require(list?.first) {
      if key.hasPrefix("System:") || key.hasPrefix("ExifTool:") || key == "SourceFile" { continue }
      tags[key] = "\(value)"
    }
    return tags
  }

  /// Runs a tool that makes a file; fails the test when it does not.
  static func make(_ tool: String, _ arguments: [String]) throws {
    let result = try Tool.run(tool, arguments)
    try #require(result.status == 0, "\(tool): \(result.error)")
  }

  /// Makes a picture in halves of four colors: the corners tell how it is turned.
  ///
  /// Upper left red, upper right green, lower left blue, lower right white.
  static func makeQuarters(
    _ path: String,
    width: Int,
    height: Int,
    orientation: Int? = nil
  ) throws {
    let half = "\(width / 2)x\(height / 2)"
    try make(
      "convert",
      [
        "(", "-size", half, "xc:red", "xc:lime", "+append", ")",
        "(", "-size", half, "xc:blue", "xc:white", "+append", ")",
        "-append", "-quality", "92", path,
      ]
    )
    if let orientation {
      try make("exiftool", ["-q", "-overwrite_original", "-n", "-Orientation=\(orientation)", path])
    }
  }

  /// Makes a plain picture whose pixels no other color gives.
  static func makePicture(_ path: String, color: String, size: String = "64x48") throws {
    try make("convert", ["-size", size, "xc:" + color, path])
  }
}

/// The tools that tests look with; each test names its own.
enum Has {
  static let exiftool = Tool.exists("exiftool")
  static let magick = Tool.exists("convert") && Tool.exists("identify")
  static let sqlite = Tool.exists("sqlite3")
  static let strace = Tool.exists("strace")
  static let python = Tool.exists("python3")
  static let jsonschema =
    (try? Tool.run("python3", ["-c", "import jsonschema"]))?.status == 0
  static let ffmpeg = Tool.exists("ffmpeg")
  static let tidy = Tool.exists("tidy")
  static let xmllint = Tool.exists("xmllint")
}
