internal import MediaFileSystem
internal import MediaModel

extension StagedBatch {
  /// The batch as JSON, which its `Decodable` conformance reads back as an equal batch.
  ///
  /// Written member by member, since `JSONEncoder` takes an eighth of the coordinator's time over
  /// small files.
  var json: [UInt8] {
    var text = JSONText()
    text.object {
      $0.array("results", results) { $0.write($1) }
      $0.array("assets", assets) { $0.write($1) }
      if let relabels { $0.array("relabels", relabels) { $0.write($1) } }
      if let withdrawals { $0.array("withdrawals", withdrawals) { $0.write($1) } }
      if let stackings { $0.array("stackings", stackings) { $0.write($1) } }
      if let additions {
        $0.object("additions") {
          $0.member("photoLibrary", additions.photoLibrary)
          $0.array("files", additions.files) { $0.write($1) }
        }
      }
    }
    return text.bytes
  }
}

/// JSON that is appended value by value; members with nil are left out.
struct JSONText {
  private(set) var bytes: [UInt8] = []
  /// Whether the next member or element stands behind another one.
  private var needsComma = false

  mutating func object(_ body: (inout JSONText) -> Void) {
    separate()
    bytes.append(UInt8(ascii: "{"))
    needsComma = false
    body(&self)
    bytes.append(UInt8(ascii: "}"))
    needsComma = true
  }

  mutating func object(_ name: String, _ body: (inout JSONText) -> Void) {
    key(name)
    object(body)
  }

  mutating func array<Element>(
    _ name: String,
    _ elements: [Element],
    _ body: (inout JSONText, Element) -> Void
  ) {
    key(name)
    bytes.append(UInt8(ascii: "["))
    needsComma = false
    for element in elements { body(&self, element) }
    bytes.append(UInt8(ascii: "]"))
    needsComma = true
  }

  mutating func member(_ name: String, _ value: String?) {
    guard let value else { return }
    key(name)
    string(value)
    needsComma = true
  }

  mutating func member(_ name: String, _ value: (some RawRepresentable<String>)?) {
    member(name, value?.rawValue)
  }

  mutating func member(_ name: String, _ value: (some BinaryInteger)?) {
    guard let value else { return }
    key(name)
    bytes.append(contentsOf: String(value).utf8)
    needsComma = true
  }

  mutating func member(_ name: String, _ value: Bool?) {
    guard let value else { return }
    key(name)
    bytes.append(contentsOf: (value ? "true" : "false").utf8)
    needsComma = true
  }

  mutating func member(_ name: String, _ value: [UInt8]?) {
    guard let value else { return }
    array(name, value) { text, byte in
      text.separate()
      text.bytes.append(contentsOf: String(byte).utf8)
      text.needsComma = true
    }
  }

  mutating func element(_ value: String) {
    separate()
    string(value)
    needsComma = true
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = false
  }

  private mutating func key(_ name: String) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    bytes.append(contentsOf: name.utf8)
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
  }

  /// Source: RFC 8259, section 7.
  private mutating func string(_ value: String) {
    bytes.append(UInt8(ascii: "\""))
    for byte in value.utf8 {
      if byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
        bytes.append(byte)
      } else {
        let digits = String(byte, radix: 16)
        bytes.append(contentsOf: "\\u00\(digits.count == 1 ? "0" : "")\(digits)".utf8)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}

extension JSONText {
  fileprivate mutating func write(_ relabel: Relabel) {
    object {
      $0.member("localIdentifier", relabel.localIdentifier)
      $0.member("label", relabel.label)
      $0.array("files", relabel.files) { text, file in
        text.object {
          $0.member("from", file.from)
          $0.member("to", file.to)
          $0.member("bytes", file.bytes)
          $0.member("sha256", file.sha256)
        }
      }
    }
  }

  fileprivate mutating func write(_ withdrawal: Withdrawal) {
    object {
      $0.member("localIdentifier", withdrawal.localIdentifier)
      $0.member("folder", withdrawal.folder)
      $0.array("files", withdrawal.files) { text, file in
        text.object {
          $0.member("path", file.path)
          $0.member("bytes", file.bytes)
          $0.member("sha256", file.sha256)
        }
      }
    }
  }

  fileprivate mutating func write(_ stacking: Stacking) {
    object {
      $0.array("assets", stacking.assets) { $0.element($1) }
      $0.member("isApart", stacking.isApart)
    }
  }

  fileprivate mutating func write(_ addition: StagedAddition) {
    object {
      $0.member("source", addition.source)
      $0.object("path") { $0.member("bytes", addition.path.bytes) }
      $0.member("localIdentifier", addition.localIdentifier)
      $0.member("incomingName", addition.incomingName)
      $0.member("date", addition.date)
      $0.member("bytes", addition.bytes)
      $0.member("sourceDigest", addition.sourceDigest)
      $0.member("isDigestKeyed", addition.isDigestKeyed)
    }
  }

  mutating func members(of item: PlannedItem) {
    let status = item.status
    member("source", item.source)
    object("path") { $0.member("bytes", item.path.bytes) }
    object("status") {
      $0.object("kind") { $0.object(status.kind.name) { _ in } }
      $0.member("device", status.device)
      $0.member("inode", status.inode)
      $0.member("mount", status.mount)
      $0.member("size", status.size)
      $0.member("allocated", status.allocated)
      $0.member("modified", status.modified)
      $0.member("changed", status.changed)
      $0.member("linkCount", status.linkCount)
    }
    object("saveTime") { $0.member("microseconds", item.saveTime.microseconds) }
  }

  fileprivate mutating func write(_ asset: StagedAsset) {
    object {
      $0.member("localIdentifier", asset.localIdentifier)
      $0.member("isKnown", asset.isKnown)
      $0.member("restoredFolder", asset.restoredFolder)
      $0.member("isRewritten", asset.isRewritten)
      $0.member("replaces", asset.replaces)
      $0.member("olderVersion", asset.olderVersion)
      $0.member("contentDigest", asset.contentDigest)
      $0.member("burstDigest", asset.burstDigest)
      $0.object("saveTime") { $0.member("microseconds", asset.saveTime.microseconds) }
      $0.member("label", asset.label)
      $0.member("mediaType", asset.mediaType)
      $0.member("source", asset.source)
      $0.member("policy", asset.policy)
      $0.object("facts") { $0.members(of: asset.facts) }
      $0.member("degraded", asset.degraded)
      $0.member("stagedName", asset.stagedName)
      $0.array("resources", asset.resources) { $0.write($1) }
      $0.array("thumbnails", asset.thumbnails) { $0.write($1) }
    }
  }

  private mutating func members(of facts: Facts) {
    member("format", facts.format)
    size(facts.pixelSize)
    member("orientation", facts.orientation)
    if let date = facts.creationDate { object("creationDate") { $0.members(of: date) } }
    member("camera", facts.camera)
    member("hasLocation", facts.hasLocation)
    member("contentIdentifier", facts.contentIdentifier)
    member("burstIdentifier", facts.burstIdentifier)
    member("durationMilliseconds", facts.durationMilliseconds)
    member("frameCount", facts.frameCount)
    array("tracks", facts.tracks) { text, track in
      text.object {
        $0.member("kind", track.kind)
        $0.member("codec", track.codec)
        $0.member("durationMilliseconds", track.durationMilliseconds)
        $0.size(track.pixelSize)
        $0.member("frameRateMilli", track.frameRateMilli)
        $0.member("channelCount", track.channelCount)
        $0.member("sampleRate", track.sampleRate)
      }
    }
    if let movie = facts.embeddedMovie {
      object("embeddedMovie") {
        $0.member("offset", movie.offset)
        $0.member("length", movie.length)
        $0.member("stillLength", movie.stillLength)
        $0.member("soundTrackCount", movie.soundTrackCount)
      }
    }
    if let description = facts.description {
      object("description") { $0.members(of: description) }
    }
  }

  private mutating func members(of date: CaptureDate) {
    member("local", date.local)
    member("offsetMinutes", date.offsetMinutes)
    member("tag", date.tag)
  }

  /// Writes what the catalogue stores; the dates among which one was chosen are empty.
  private mutating func members(of description: MediaDescription) {
    array("dates", description.dates) { text, date in
      text.object { $0.members(of: date) }
    }
    member("locationTime", description.locationTime)
    if let place = description.place {
      object("place") {
        $0.member("latitude", place.latitude)
        $0.member("longitude", place.longitude)
      }
    }
    member("placeTag", description.placeTag)
    if let name = description.placeName {
      object("placeName") {
        $0.member("city", name.city)
        $0.member("region", name.region)
        $0.member("country", name.country)
      }
    }
    member("subtypes", description.subtypes.rawValue)
    member("rating", description.rating)
    member("isFavorite", description.isFavorite)
    member("isHidden", description.isHidden)
    member("caption", description.caption)
    array("keywords", description.keywords) { $0.element($1) }
    if let people = description.people { array("people", people) { $0.element($1) } }
    member("burst", description.burst)
    member("isBurstPick", description.isBurstPick)
    switch description.subject {
    case .picture(let words): object("subject") { $0.object("picture") { $0.member("_0", words) } }
    case .album(let title): object("subject") { $0.object("album") { $0.member("_0", title) } }
    case nil: break
    }
    member("isTrashed", description.isTrashed)
    member("ownerExtension", description.ownerExtension)
    if let date = description.stated { object("stated") { $0.members(of: date) } }
    if let date = description.uncorrected { object("uncorrected") { $0.members(of: date) } }
    member("hasImplausibleDate", description.hasImplausibleDate)
    member("misstatesMovie", description.misstatesMovie)
  }

  private mutating func size(_ size: PixelSize?, _ name: String = "pixelSize") {
    guard let size else { return }
    object(name) {
      $0.member("width", size.width)
      $0.member("height", size.height)
    }
  }

  private mutating func write(_ resource: StagedResource) {
    object {
      $0.member("role", resource.role)
      $0.member("fileName", resource.fileName)
      $0.member("format", resource.format)
      $0.member("bytes", resource.bytes)
      $0.member("sha256", resource.sha256)
      $0.member("sourceDigest", resource.sourceDigest)
      $0.member("source", resource.source)
      $0.object("sourcePath") { $0.member("bytes", resource.sourcePath.bytes) }
    }
  }

  mutating func write(_ thumbnail: StagedThumbnail) {
    object {
      $0.member("name", thumbnail.name)
      $0.member("fingerprint", thumbnail.fingerprint)
      $0.size(thumbnail.size, "size")
      $0.member("stagedName", thumbnail.stagedName)
      $0.member("date", thumbnail.date)
      $0.member("fileName", thumbnail.fileName)
      $0.member("bytes", thumbnail.bytes)
      $0.member("sha256", thumbnail.sha256)
      $0.member("thumbHash", thumbnail.thumbHash)
      $0.member("perceptualHash", thumbnail.perceptualHash)
    }
  }
}

extension FileStatus.Kind {
  /// The case's name, as its synthesized `Codable` conformance writes it.
  fileprivate var name: String {
    switch self {
    case .regular: "regular"
    case .folder: "folder"
    case .symbolicLink: "symbolicLink"
    case .other: "other"
    }
  }
}
