import Foundation
import MediaModel
import MediaTestSupport

/// What exiftool finds in a file, by the classes of receipts; the words are exiftool's own names of
/// tags.
enum ExiftoolClasses {
  /// For each class the tags of that class with a value.
  typealias TagsByClass = [MetadataClass: [String]]

  private static let words: [(kind: MetadataClass, names: String, others: String)] = [
    (
      .location,
      "GPS|Latitude|Longitude|City|Country|Sub-?location|Province|^State$|^Location|GeoTiff",
      "^GPS(VersionID|MapDatum|Info)$|Subject|TimeZone|^LocationX"
    ),
    (
      .person,
      "^(Artist|Author|By-line|Creator$|Copyright|Credit|Owner|Rights|Performer|Composer|Band$|"
        + "Publisher|Contact|Writer-Editor|Lyricist|Conductor|CaptionWriter|CameraOwner|Person|"
        + "RegionName|EncodedBy|AlbumArtist|Engineer|Technician|Director$|Producer|Photographer)",
      "CopyrightFlag|AuthorsPosition$"
    ),
    (
      .device,
      "^(Make|Model|CameraModelName|Software|.*SerialNumber|Lens(Make|Model|Info|ID)?|Encoder.*|"
        + "CreatorTool|HostComputer|UniqueCameraModel|HandlerDescription|MuxingApp|WritingApp|"
        + "EncodingSettings|EncoderSettings|OriginatingProgram|Firmware.*|DocumentID|InstanceID|"
        + "Claim_generator|SoftwareAgent|Tool|WriterName|ProcessingSoftware|CodingHistory)$",
      "^$"
    ),
    (
      .time,
      "Date|Year$|Time[sS]tamp|OffsetTime|^TimeZone$|CreationTime|ReleaseTime|^Time$|^When$|"
        + "TimeCreated|SubSecTime",
      "Exposure|Duration|Profile|GPS|Presentation|Update"
    ),
    (
      .text,
      "^(Title|Comment|Description|ImageDescription|Caption.*|Keywords|Subject|Album|Genre|"
        + "Headline|ObjectName|XPTitle|XPKeywords|XPComment|Lyrics.*|SpecialInstructions|"
        + "UserComment|DocumentName|PageName|Grouping|Label)$",
      "^$"
    ),
  ]

  /// Returns what exiftool finds in each of the files beneath `folder`, by path. Maker notes are
  /// left out: receipts count each as one value of a device.
  static func classes(beneath folder: String) throws -> [String: TagsByClass] {
    let result = try Tool.run(
      "exiftool",
      ["-q", "-r", "-j", "-a", "-n", "-G0:1", "-api", "LargeFileSupport=1", folder]
    )
    let files =
      try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [[String: Any]] ?? []
    var kinds: [Substring: Set<MetadataClass>] = [:]
    var classesByPath: [String: TagsByClass] = [:]
    for file in files {
      guard let path = file["SourceFile"] as? String else { continue }
      var classes: TagsByClass = [:]
      for (key, value) in file where isMetadata(key) && isStated(value, of: key) {
        let name = key[(key.lastIndex(of: ":").map(key.index(after:)) ?? key.startIndex)...]
        let cached = kinds[name]
        let own = try cached ?? Self.kinds(of: name)
        if cached == nil { kinds[name] = own }
        // They are the programs that wrote a document, and its PDF.
        let isProgram = key.contains(":XMP-pdf:") && (name == "Producer" || name == "Creator")
        for kind in isProgram ? [.device] : own { classes[kind, default: []].append(key) }
      }
      classesByPath[path] = classes
    }
    return classesByPath
  }

  private static func kinds(of name: Substring) throws -> Set<MetadataClass> {
    var kinds: Set<MetadataClass> = []
    for row in words
    where try name.contains(Regex(row.names)) && !name.contains(Regex(row.others)) {
      kinds.insert(row.kind)
    }
    return kinds
  }

  private static func isMetadata(_ key: String) -> Bool {
    let others = ["File:System:", "ExifTool:", "Composite:", "ICC_Profile:", "MakerNotes:", "APP"]
    return key.contains(":") && !others.contains(where: key.hasPrefix)
      && (!key.hasPrefix("File:") || key.hasSuffix(":Comment"))
  }

  private static func isStated(_ value: Any, of key: String) -> Bool {
    let text = "\(value)".trimmingCharacters(in: .whitespaces)
    return !text.isEmpty && text != "0" && !text.hasPrefix("0000:00:00") && text != "None"
      && !(key.hasSuffix(":Genre") && text == "255")
  }
}
