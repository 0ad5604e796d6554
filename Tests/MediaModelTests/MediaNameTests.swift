import Testing

@testable import MediaModel

@Suite("Names of media")
struct MediaNameTests {
  @Test("Extensions of known formats and of other media are media, others are not")
  func extensions() {
    for format in MediaFormat.allCases {
      for name in format.row.extensions { #expect(MediaName.isMedia(fileExtension: name), "\(name)") }
    }
    for name in ["r3d", "braw", "mxf", "rmvb", "amr", "ape", "exr", "heics", "dvr-ms", "lrv", "360"] {
      #expect(MediaName.isMedia(fileExtension: name) && MediaFormat(fileExtension: name) == nil, "\(name)")
    }
    for name in ["", "txt", "json", "xmp", "gpx", "pdf", "zip", "db", "xml", "ini", "moi", "R3D"] {
      #expect(!MediaName.isMedia(fileExtension: name), "\(name)")
    }
  }
}
