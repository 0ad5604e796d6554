/// When a picture was taken, in the capture's own local time.
package struct CaptureDate: Sendable, Hashable, Codable {
  /// `yyyy-MM-ddTHH:mm:ss`, checked: each field is in its calendar range.
  package var local: String
  /// Minutes east of UTC, when the file says so.
  package var offsetMinutes: Int?
  /// The tag that said so, such as `DateTimeOriginal`.
  package var tag: String

  package init(local: String, offsetMinutes: Int?, tag: String) {
    self.local = local
    self.offsetMinutes = offsetMinutes
    self.tag = tag
  }
}

/// What a file says about itself; every value is a claim of the file, checked only for shape.
package struct Facts: Sendable, Hashable, Codable {
  package var format: MediaFormat
  /// As stored, before orientation is applied.
  package var pixelSize: PixelSize?
  /// EXIF's value, 1 to 8.
  package var orientation: Int
  package var creationDate: CaptureDate?
  /// Make and model.
  package var camera: String?
  package var hasLocation: Bool
  /// Apple's identifier that ties a live photo's two halves together.
  package var contentIdentifier: String?
  package var durationMilliseconds: Int?

  package init(
    format: MediaFormat,
    pixelSize: PixelSize? = nil,
    orientation: Int = 1,
    creationDate: CaptureDate? = nil,
    camera: String? = nil,
    hasLocation: Bool = false,
    contentIdentifier: String? = nil,
    durationMilliseconds: Int? = nil
  ) {
    self.format = format
    self.pixelSize = pixelSize
    self.orientation = orientation
    self.creationDate = creationDate
    self.camera = camera
    self.hasLocation = hasLocation
    self.contentIdentifier = contentIdentifier
    self.durationMilliseconds = durationMilliseconds
  }
}

/// One kind of metadata that an output no longer has: its name and how often, never its value.
package struct RemovedMetadata: Sendable, Hashable, Codable {
  /// The container's own word, such as `APP1 Exif`, `tEXt` or `trailer`.
  package var name: String
  package var count: Int

  package init(name: String, count: Int) {
    self.name = name
    self.count = count
  }
}
