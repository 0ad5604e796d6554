import MediaContainers

/// The numbers of the Exif tags that become facts or may be kept.
///
/// Source: Exif 2.32 tables 4, 5, 7, 8, 15; 0x4746 and 0x9C9B are Microsoft's.
package enum ExifTagNumber {
  /// The caption.
  package static let imageDescription = 0x010E
  /// The maker of the camera.
  package static let make = 0x010F
  /// The model of the camera.
  package static let model = 0x0110
  /// The orientation, 1 to 8.
  package static let orientation = TIFFTag.orientation
  static let dateTime = 0x0132
  /// The creator.
  package static let artist = 0x013B
  /// The rating in stars, a tag of Microsoft.
  package static let rating = 0x4746
  /// The rating in percent, a tag of Microsoft.
  static let ratingPercent = 0x4749
  /// The copyright notice.
  package static let copyright = 0x8298
  /// The pointer to the Exif directory.
  package static let exifDirectory = TIFFTag.exifIFD
  /// The pointer to the GPS directory.
  package static let locationDirectory = TIFFTag.gpsIFD
  static let exifVersion = 0x9000
  /// The date of capture.
  package static let dateTimeOriginal = 0x9003
  static let dateTimeDigitized = 0x9004
  static let offsetTime = 0x9010
  /// The offset from UTC of the date of capture.
  package static let offsetTimeOriginal = 0x9011
  static let offsetTimeDigitized = 0x9012
  static let makerNote = 0x927C
  static let fraction = 0x9290
  /// The fraction of the second of the date of capture.
  package static let fractionOriginal = 0x9291
  static let fractionDigitized = 0x9292
  static let userComment = 0x9286
  /// Whether the picture was processed; Apple's phones write more values than Exif defines.
  static let customRendered = 0xA401
  static let lensModel = 0xA434
  /// The comment, a tag of Microsoft.
  static let xpComment = 0x9C9C
  /// The keywords, a tag of Microsoft.
  static let xpKeywords = 0x9C9E
  /// The title, a tag of Microsoft.
  package static let xpTitle = 0x9C9B

  static let locationVersion = 0
  static let latitudeReference = 1
  static let latitude = 2
  static let longitudeReference = 3
  static let longitude = 4
  static let altitudeReference = 5
  static let altitude = 6
  static let locationTime = 7
  static let areaInformation = 28
  static let locationDate = 29
}

/// A directory of an Exif block that holds values.
enum ExifDirectory: CaseIterable {
  case image, exif, location

  /// The tags that are read.
  var tags: Set<Int> {
    switch self {
    case .image: Self.imageTags
    case .exif: Self.exifTags
    case .location: Self.locationTags
    }
  }

  /// The tag of the image directory that points to this one.
  var pointer: Int? {
    switch self {
    case .image: nil
    case .exif: ExifTagNumber.exifDirectory
    case .location: ExifTagNumber.locationDirectory
    }
  }

  private static let imageTags = Set(
    [
      ExifTagNumber.imageDescription, ExifTagNumber.orientation, ExifTagNumber.dateTime,
      ExifTagNumber.artist, ExifTagNumber.rating, ExifTagNumber.ratingPercent,
      ExifTagNumber.copyright, ExifTagNumber.exifDirectory, ExifTagNumber.locationDirectory,
      ExifTagNumber.xpTitle, ExifTagNumber.xpComment, ExifTagNumber.xpKeywords,
    ] + names(in: .image)
  )
  private static let exifTags = Set(
    [
      ExifTagNumber.dateTimeOriginal, ExifTagNumber.dateTimeDigitized, ExifTagNumber.offsetTime,
      ExifTagNumber.offsetTimeOriginal, ExifTagNumber.offsetTimeDigitized,
      ExifTagNumber.userComment, ExifTagNumber.customRendered, ExifTagNumber.fraction,
      ExifTagNumber.fractionOriginal, ExifTagNumber.fractionDigitized,
    ] + names(in: .exif)
  )
  private static let locationTags = Set(
    Array(1...6) + [ExifTagNumber.locationTime, ExifTagNumber.locationDate]
  )

  private static func names(in directory: ExifDirectory) -> [Int] {
    DeviceText.all.filter { $0.directory == directory }.map(\.tag)
  }
}
