/// Display names of removed TIFF tags.
package enum TIFFTagName {
  /// Returns the name of a tag; of an unknown one, its number.
  package static func name(_ tag: Int) -> String {
    listedName(tag) ?? "tag \(tag)"
  }

  /// Returns the name of a tag, or nil for one that is not in this table.
  package static func listedName(_ tag: Int) -> String? { names[tag] }

  /// Source: TIFF 6.0, Exif 2.32, XMP part 3, GeoTIFF 1.1, DNG 1.6, C2PA 2.1 section A.3.2.
  private static let names: [Int: String] = [
    0x00FE: "NewSubfileType", 0x00FF: "SubfileType", 0x010D: "DocumentName",
    0x010E: "ImageDescription", 0x010F: "Make", 0x0110: "Model", 0x0112: "Orientation",
    0x011A: "XResolution", 0x011B: "YResolution", 0x011D: "PageName", 0x0128: "ResolutionUnit",
    0x0129: "PageNumber", 0x0131: "Software", 0x0132: "DateTime", 0x013B: "Artist",
    0x013C: "HostComputer", 0x014A: "SubIFDs", 0x014D: "InkNames", 0x0151: "TargetPrinter",
    0x02BC: "XMP", 0x4746: "Rating", 0x8298: "Copyright", 0x830E: "GeoTIFF", 0x8482: "GeoTIFF",
    0x85D8: "GeoTIFF", 0x87AF: "GeoTIFF", 0x87B0: "GeoTIFF", 0x87B1: "GeoTIFF", 0x83BB: "IPTC",
    0x8649: "Photoshop", 0x8769: "Exif", 0x8773: "ICC profile", 0x8825: "GPS",
    0x935C: "Photoshop", 0x9C9B: "XPTitle", 0x9C9C: "XPComment", 0x9C9D: "XPAuthor",
    0x9C9E: "XPKeywords", 0x9C9F: "XPSubject", 0xA480: "GDAL", 0xA481: "GDAL",
    0xCD41: "C2PA manifest store",
  ]
}
