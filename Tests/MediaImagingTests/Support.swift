import Foundation
import MediaImaging
import MediaModel
import MediaTestSupport
import Synchronization

/// What a test needs to make pictures and to look at thumbnails with programs that did not make them.
struct Bench {
  /// The first number of ImageMagick's version: 6 on Debian 12, 7 from 13 on.
  static let magickVersion: Int = {
    let version = (try? Tool.run("convert", ["-version"]))?.output ?? ""
    return version.contains("ImageMagick 7") ? 7 : 6
  }()

  let folder = TemporaryFolder()

  func path(_ name: String) -> String { folder.path + "/" + name }

  /// Runs ImageMagick's convert in the folder; fails when it complains.
  func convert(_ arguments: String...) throws {
    try convert(arguments)
  }

  func convert(_ arguments: [String]) throws {
    let result = try Tool.run("convert", arguments, in: folder.path)
    guard result.status == 0 else { throw Complaint(text: result.error) }
  }

  /// Runs jpegtran on `scene.jpg`, and returns what it writes; fails when it complains.
  func jpegtran(_ arguments: [String]) throws -> [UInt8] {
    let all = arguments + ["-outfile", "coded.jpg", "scene.jpg"]
    let result = try Tool.run("jpegtran", all, in: folder.path)
    guard result.status == 0 else { throw Complaint(text: result.error) }
    return try readBytes(path("coded.jpg"))
  }

  /// A picture without any symmetry, with edges, gradients and color.
  ///
  /// A PNG of one size is drawn once for all tests.
  func makeScene(_ name: String, width: Int, height: Int) throws {
    let key = name.hasSuffix(".png") && !name.contains(":") ? "\(width)x\(height)" : nil
    if let key, let bytes = Self.scenes.withLock({ $0[key] }) { return try write(bytes, name) }
    try drawScene(name, width: width, height: height)
    guard let key else { return }
    let bytes = try readBytes(path(name))
    Self.scenes.withLock { $0[key] = bytes }
  }

  private static let scenes = Mutex<[String: [UInt8]]>([:])

  private func drawScene(_ name: String, width: Int, height: Int) throws {
    try convert(
      "-size",
      "\(width)x\(height)",
      "gradient:#203080-#f0d060",
      "-fill",
      "#d02020",
      "-draw",
      "rectangle 0,0 \(width / 3),\(height / 4)",
      "-fill",
      "#10a040",
      "-draw",
      "circle \(width * 2 / 3),\(height * 2 / 3) \(width * 2 / 3),\(height / 2)",
      "-fill",
      "white",
      "-draw",
      "polygon \(width - 1),0 \(width - 1),\(height / 3) \(width / 2),0",
      name
    )
  }

  func write(_ bytes: [UInt8], _ name: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path(name)))
  }

  /// Peak signal to noise in dB between two files of one size.
  func psnr(_ first: String, _ other: String) throws -> Double {
    let result = try Tool.run("compare", ["-metric", "PSNR", first, other, "null:"], in: folder.path)
    // ImageMagick 7 adds the normalized value in parentheses.
    let text = result.error.split(whereSeparator: \.isWhitespace).first.map(String.init) ?? ""
    if text == "inf" || text == "0" { return 100 }
    guard let value = Double(text) else { throw Complaint(text: result.error) }
    return value
  }

  /// Width and height as ImageMagick reads them.
  func identify(_ name: String, _ format: String = "%w %h") throws -> String {
    try Tool.run("identify", ["-format", format, name], in: folder.path).output
  }
}

struct Complaint: Error {
  var text: String
}

func spec(
  _ width: Int,
  _ height: Int,
  _ mode: ContentMode = .aspectFit,
  quality: Int = 90,
  name: String = "thumbnail"
) -> ThumbnailSpec {
  ThumbnailSpec(
    name: name,
    size: PixelSize(width: width, height: height),
    contentMode: mode,
    quality: quality
  )
}

extension ImageThumbnailer {
  func thumbnails(
    of bytes: [UInt8],
    format: MediaFormat,
    orientation: Int = 1,
    rotation: Int = 0,
    _ specifications: ThumbnailSpec...
  ) throws -> [Thumbnail] {
    try bytes.withUnsafeBytes { bytes in
      try thumbnails(
        of: bytes,
        format: format,
        orientation: orientation,
        rotation: rotation,
        specifications: specifications
      )
    }
  }

  /// The error's code, or nil when the picture decodes.
  func code(
    of bytes: [UInt8],
    format: MediaFormat,
    _ specifications: ThumbnailSpec...
  ) -> ImagingError.Code? {
    bytes.withUnsafeBytes { (bytes) -> ImagingError.Code? in
      do throws(ImagingError) {
        _ = try thumbnails(of: bytes, format: format, orientation: 1, specifications: specifications)
        return nil
      } catch {
        return error.code
      }
    }
  }
}

/// The first frame header of a JPEG: width, height, number of components; read without our parser.
func frame(_ jpeg: [UInt8]) -> [Int]? {
  var offset = 2
  while offset + 9 < jpeg.count, jpeg[offset] == 0xFF {
    if jpeg[offset + 1] == 0xC0 || jpeg[offset + 1] == 0xC2 {
      return [
        Int(jpeg[offset + 7]) << 8 | Int(jpeg[offset + 8]),
        Int(jpeg[offset + 5]) << 8 | Int(jpeg[offset + 6]), Int(jpeg[offset + 9]),
      ]
    }
    offset += 2 + (Int(jpeg[offset + 2]) << 8 | Int(jpeg[offset + 3]))
  }
  return nil
}
