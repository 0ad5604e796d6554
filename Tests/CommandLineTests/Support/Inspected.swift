import Foundation
import MediaModel
import MediaTestSupport
import Testing

extension Scene {
  /// `mediabatch inspect …`
  func inspect(_ arguments: String...) throws -> Outcome {
    try Scene.program(["inspect"] + arguments, in: path)
  }

  /// What `mediabatch inspect --format json …` says, which has to end with `code`.
  func inspected(
    _ arguments: [String],
    code: Int32 = 0,
    _ location: SourceLocation = #_sourceLocation
  ) throws -> JSON {
    let outcome = try Scene.program(["inspect", "--format", "json"] + arguments, in: path)
    #expect(outcome.code == code, "\(outcome.streams.prefix(2000))", sourceLocation: location)
    let json = try outcome.json()
    #expect(json["schema"].string == "mediabatch.inspect/1", sourceLocation: location)
    #expect(json["exitCode"].int == Int(code), sourceLocation: location)
    return json
  }
}

/// Exif as two programs name it.
enum ExifNames {
  /// The groups of Exif, which both programs name alike.
  static let groups: Set<String> = ["IFD0", "ExifIFD", "GPS", "InteropIFD"]

  /// exiftool's own names for tags that Exif calls otherwise, or that we give as a number.
  private static let exif = [
    "ModifyDate": "DateTime", "CreateDate": "DateTimeDigitized", "LensInfo": "LensSpecification",
    "SerialNumber": "BodySerialNumber", "RecommendedExposureIndex": "0x8832",
    "RelatedImageWidth": "0x1001", "RelatedImageHeight": "0x1002",
    "TileWidth": "0x0142", "TileLength": "0x0143",
    "DeviceSettingDescription": "0xA40B", "OffsetSchema": "0xEA1D",
  ]

  /// Those that exiftool takes apart, and lists in groups of their own: maker notes, PrintIM; and a
  /// Panasonic title of nothing but zeros.
  static let takenApart: Set<String> = ["MakerNote", "0xC4A5", "0xC6D2"]

  /// `Group/Tag` of what exiftool lists, in our names.
  static func listed(byExiftool tags: some Sequence<String>) -> Set<String> {
    Set(
      tags.compactMap { key in
        let parts = key.split(separator: ":")
        guard parts.count == 2, groups.contains(String(parts[0])) else { return nil }
        var name = String(parts[1])
        if let number = name.range(of: "_0x") {
          name = "0x" + name[number.upperBound...].uppercased()
        }
        return "\(parts[0])/\(exif[name] ?? name)"
      }
    )
  }

  /// `Group/Tag` of what we list.
  static func listed(in entries: [JSON]) -> Set<String> {
    Set(
      entries.compactMap { entry in
        let parts = (entry["path"].string ?? "").split(separator: "/")
        guard let group = parts.firstIndex(where: { groups.contains(String($0)) }),
          group + 1 < parts.count, !takenApart.contains(String(parts[group + 1]))
        else { return nil }
        return "\(parts[group])/\(parts[group + 1])"
      }
    )
  }
}
