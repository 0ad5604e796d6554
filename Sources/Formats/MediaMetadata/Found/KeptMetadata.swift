import MediaContainers
package import MediaModel

/// The metadata values that `except` may keep, checked for their form, to be written anew.
///
/// The type also holds the values of a single block (Exif, XMP, IPTC) before they are merged.
package struct KeptMetadata: Sendable, Hashable {
  /// The creation date, without fractions of a second; its tag is always `DateTimeOriginal`.
  package var creationDate: CaptureDate?
  /// The copyright notice.
  package var copyright: String?
  /// The creator; several are joined into one text by "; ".
  package var creator: String?
  /// The maker of the camera.
  package var make: String?
  /// The model of the camera.
  package var model: String?
  /// The model of the lens.
  package var lensModel: String?
  /// The title.
  package var title: String?
  /// The caption.
  package var caption: String?
  /// The rating, one of `MediaDescription.ratings`.
  package var rating: Int?
  /// The position of the capture.
  package var location: Coordinate?
  /// Whether there is a place that is not understood, which nothing is written of.
  package var hasUnreadPlace = false
  /// Apple's identifier that connects the still and the movie of a live photo.
  package var contentIdentifier: String?
  /// The values in Apple's maker note that belong to a gain map of the same file.
  package var brightness: AppleBrightness?
  /// How a picture of all around is shown, which all pictures with an XMP packet but GIF keep without
  /// being asked.
  package var projection: XMPProjection?

  /// The tag under which every creation date is written.
  static let dateTag = CaptureDate.keptTag

  /// Creates empty values.
  package init() {}

  /// Returns the date that counts most, as it is kept.
  static func anyDate(of dates: [CaptureDate]) -> CaptureDate? {
    var date = CaptureDate.best(of: dates)
    date?.tag = dateTag
    return date
  }

  /// Returns the date that counts most, as it is kept by a format without a form for one without a time of day; nil for
  /// such a one.
  static func date(of dates: [CaptureDate]) -> CaptureDate? {
    anyDate(of: dates).flatMap { $0.isDateOnly ? nil : $0 }
  }

  /// Notes a date of one block: its tag stays where it is none of the capture, which another block may state.
  mutating func take(_ date: CaptureDate?) {
    creationDate = date
    if date?.kind == .capture { creationDate?.tag = Self.dateTag }
  }

  /// Whether there is no value.
  package var isEmpty: Bool { self == KeptMetadata() }

  /// Returns the values that `options` keep: only those that `except` names, with a coarse
  /// location rounded; never a content identifier or a projection.
  ///
  /// Applying it twice changes nothing more.
  package func limited(to options: StripOptions) -> KeptMetadata {
    var kept = KeptMetadata()
    for exception in options.except {
      switch exception {
      case .creationDate:
        kept.creationDate = creationDate
        kept.creationDate?.fraction = nil
      case .copyright: (kept.copyright, kept.creator) = (copyright, creator)
      case .caption: (kept.title, kept.caption) = (title, caption)
      case .rating: kept.rating = rating
      case .location: kept.location = options.isLocationCoarse ? location?.coarse : location
      case .hdrGainMap: kept.brightness = brightness
      case .camera, .lens, .contentCredentials: break
      }
    }
    for name in DeviceText.all where options.except.contains(name.exception) {
      kept[keyPath: name.path] = self[keyPath: name.path]
    }
    return kept
  }
}

/// A text that names the device of a capture, told once for the blocks that have it; those of one exception are taken
/// from one block, since the make of one with the model of another would name a camera that does not exist.
///
/// A class, so that a loop over them copies a reference.
///
/// Source: Exif 2.32 tables 4 and 8; CIPA DC-010 (Exif in XMP); AVFoundation's `AVMetadataKey`.
package final class DeviceText: Equatable, Sendable {
  /// Its place among the values.
  let path: FactForm<KeptMetadata>.Path<String?>
  /// The fact that it is; none where it is a part of one.
  let facts: [FactForm<Facts>.Path<String?>]
  /// The exception that keeps it.
  package let exception: MetadataException
  /// The tag in an Exif block.
  let tag: Int
  /// The directory of the tag.
  let directory: ExifDirectory
  /// The key of QuickTime behind `com.apple.quicktime.`.
  let key: String
  /// The type of QuickTime's user data.
  let type: FourCharacterCode?
  /// The properties in an XMP packet, the one that counts most first, which is the one that is written.
  let properties: [XMPName]

  private init(
    _ path: FactForm<KeptMetadata>.Path<String?>,
    fact: FactForm<Facts>.Path<String?>...,
    keptBy exception: MetadataException,
    _ tag: Int,
    in directory: ExifDirectory,
    key: String,
    type: FourCharacterCode? = nil,
    _ properties: XMPName...
  ) {
    (self.path, self.facts, self.exception) = (path, fact, exception)
    (self.tag, self.directory) = (tag, directory)
    (self.key, self.type, self.properties) = (key, type, properties)
  }

  private typealias Tag = ExifTagNumber
  private typealias Space = XMPNamespace

  static let make = DeviceText(
    \.make,
    keptBy: .camera,
    Tag.make,
    in: .image,
    key: "make",
    type: "©mak",
    XMPName(Space.tiff, "Make")
  )
  static let model = DeviceText(
    \.model,
    keptBy: .camera,
    Tag.model,
    in: .image,
    key: "model",
    type: "©mod",
    XMPName(Space.tiff, "Model")
  )
  static let lensModel = DeviceText(
    \.lensModel,
    fact: \.lensModel,
    keptBy: .lens,
    Tag.lensModel,
    in: .exif,
    key: "camera.lens_model",
    XMPName(Space.exifEX, "LensModel"),
    XMPName("http://ns.adobe.com/exif/1.0/aux/", "Lens")
  )

  /// All of them, by ascending tags of each directory.
  static let all = [make, model, lensModel]

  package static func == (first: DeviceText, second: DeviceText) -> Bool { first === second }
}

extension KeptMetadata {
  /// The texts that a directory of an Exif block has, by ascending tags.
  func names(in directory: ExifDirectory) -> [(tag: Int, text: String)] {
    DeviceText.all.compactMap { name in
      guard name.directory == directory, let text = self[keyPath: name.path] else { return nil }
      return (name.tag, text)
    }
  }

  /// The texts as properties of an XMP packet.
  var nameProperties: [(name: XMPName, text: String)] {
    DeviceText.all.compactMap { name in
      guard let property = name.properties.first, let text = self[keyPath: name.path] else {
        return nil
      }
      return (property, text)
    }
  }

  /// Takes the text of `name` unless there is one already.
  mutating func take(_ name: DeviceText, _ text: @autoclosure () -> String?) {
    if self[keyPath: name.path] == nil { self[keyPath: name.path] = text() }
  }

  /// Takes the names of a device from a block that counts less.
  mutating func takeNames(of other: KeptMetadata) {
    let own = self
    for name in DeviceText.all {
      let isKnown = DeviceText.all.contains {
        $0.exception == name.exception && own[keyPath: $0.path] != nil
      }
      if !isKnown { self[keyPath: name.path] = other[keyPath: name.path] }
    }
  }
}

extension Facts {
  /// Takes the device that the values of a file name, where nothing has named it yet.
  mutating func complete(by values: KeptMetadata) {
    if camera == nil { camera = CameraName.camera(make: values.make, model: values.model) }
    for name in DeviceText.all {
      guard let text = values[keyPath: name.path] else { continue }
      for fact in name.facts where self[keyPath: fact] == nil {
        self[keyPath: fact] = CameraName.camera(make: nil, model: text)
      }
    }
  }
}

extension StripOptions {
  /// Whether any kept value has to be read.
  package var wantsValues: Bool {
    pairingKey != nil || except.contains { $0 != .contentCredentials }
  }

  /// Whether a stripped file still says what the catalogue has a column for.
  package var keepsFacts: Bool { !except.isDisjoint(with: Self.ofFacts) }

  private static let ofFacts = Set(FactColumn.all.compactMap(\.strip.exception))
}
