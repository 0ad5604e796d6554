import Foundation
import MediaSyntax
import MediaTestSupport
import Testing

@Suite("Importing camera raw of each maker")
struct RawKindsImportTests {
  /// A file of each maker: its name on the card, its published extension, and its name in messages.
  private static func files() throws -> [(name: String, published: String, kind: String, bytes: [UInt8])] {
    let previews = try (1...5).map { try readBytes(Samples.photo($0)) }
    func made(_ make: String, _ model: String, preview: Int = 0) -> MadeRaw {
      MadeRaw(preview: previews[preview], make: make, model: model)
    }
    return [
      ("IMGP1.PEF", "pef", "Pentax PEF", made("PENTAX Corporation", "PENTAX K10D").tiff()),
      ("SAM_2.SRW", "srw", "Samsung SRW", made("SAMSUNG", "NX100").tiff()),
      ("B3.3FR", "3fr", "Hasselblad 3FR", made("Hasselblad", "Hasselblad H3D").tiff()),
      ("B4.FFF", "3fr", "Hasselblad 3FR", made("Hasselblad", "Hasselblad H4D").tiff()),
      ("CF5.IIQ", "iiq", "Phase One IIQ", made("Phase One", "P 45", preview: 1).tiff(mark: "IIIITwaR")),
      ("CF6.TIF", "iiq", "Phase One IIQ", made("Phase One", "H 20").tiff(mark: "IIIITwaR")),
      ("P7.DCR", "dcr", "Kodak DCR", made("Kodak", "DCS Pro 14N").tiff()),
      ("P8.KDC", "kdc", "Kodak KDC", made("EASTMAN KODAK COMPANY", "KODAK P850").tiff()),
      ("EPSN9.ERF", "erf", "Epson ERF", made("SEIKO EPSON CORP.", "R-D1").tiff()),
      ("DSC10.MEF", "mef", "Mamiya MEF", made("Mamiya-OP Co.,Ltd.", "Mamiya ZD").tiff()),
      ("L11.MOS", "mos", "Leaf MOS", made("Leaf", "Leaf Aptus 22").tiff()),
      ("L12.TIF", "mos", "Leaf MOS", made("Leaf", "Leaf Valeo 6").tiff()),
      ("PICT13.MRW", "mrw", "Minolta MRW", made("KONICA MINOLTA", "DiMAGE A2", preview: 2).minolta()),
      ("SDIM14.X3F", "x3f", "Sigma X3F", made("SIGMA", "SIGMA SD14", preview: 3).sigma()),
      (
        "CRW_15.CRW", "crw", "Canon CRW",
        made("Canon", "Canon EOS 10D", preview: 4).canon(seconds: 1_620_284_889)
      ),
      ("1D16.TIF", "raw", "TIFF-based", made("Canon", "EOS-1D").tiff()),
    ]
  }

  @Test(
    "Under keep each is imported byte for byte, with a thumbnail, its date and its camera",
    .enabled(if: Has.sqlite && Has.exiftool, "no sqlite3 or exiftool")
  )
  func keep() throws {
    let scene = try Scene(policy: "keep").declare("camera")
    scene.setThumbnails([("t", 48, 48, "aspectFit")])
    let files = try Self.files()
    for file in files { try scene.put("sources/camera/DCIM/100MEDIA/\(file.name)", file.bytes) }
    let sources = try scene.digests("sources/camera/DCIM/100MEDIA")
    let outcome = try scene.run()
    try outcome.expect(0)
    try outcome.expectCounts(["imported": files.count])
    let rows = try scene.catalogue("SELECT CAST(sourcePath AS TEXT), path, format FROM resources")
    #expect(rows.count == files.count)
    let library = try scene.digests("Library")
    for row in rows {
      let fields = row.split(separator: "|").map(String.init)
      let name = (fields[0] as NSString).lastPathComponent
      let file = try #require(files.first { $0.name == name })
      #expect(fields[2] == file.published && fields[1].hasSuffix(".\(file.published)"), "\(row)")
      #expect(library[fields[1]] == sources[name], "\(name)")
    }
    #expect(try scene.catalogue("SELECT path FROM thumbnails").count == files.count)
    // Sigma's is that of its preview, which is no camera's here.
    let dated = try scene.catalogue("SELECT creationDate, camera FROM assets WHERE camera IS NOT NULL")
    #expect(dated.count >= files.count - 1)
    #expect(dated.filter { $0.hasPrefix("2021-05-06T07:08:09") }.count == files.count - 1, "\(dated)")
    #expect(dated.contains { $0.contains("PENTAX K10D") } && dated.contains { $0.contains("Canon EOS 10D") })
    try scene.run().expectCounts(["unchanged": files.count])
    try scene.expectVerified()
  }

  @Test("Under strip each is refused by its name, which is that of keep also where the file is called .TIF")
  func strip() throws {
    let scene = try Scene(policy: "strip").declare("camera")
    let files = try Self.files()
    for file in files { try scene.put("sources/camera/\(file.name)", file.bytes) }
    let outcome = try scene.run()
    try outcome.expect(3)
    #expect(try outcome.failures() == files.map { "\($0.name): stripUnsupported" }.sorted())
    for failure in try outcome.json()["failures"].array {
      let file = try #require(files.first { $0.name == failure["path"].string })
      #expect(failure["message"].string?.contains("\(file.kind) camera raw") == true, "\(file.name)")
    }
    #expect(try scene.originals().isEmpty)
  }

  @Test("Under strip the preview is published, and nothing else of the file, if the manifest says so")
  func previewOnly() throws {
    let scene = try Scene(policy: "strip").declare("camera")
    let names = ["IMGP1.PEF", "CF5.IIQ", "PICT13.MRW", "SDIM14.X3F", "CRW_15.CRW"]
    for file in try Self.files() where names.contains(file.name) {
      try scene.put("sources/camera/\(file.name)", file.bytes)
    }
    scene.manifest["rawUnderStrip"] = "previewOnly"
    let outcome = try scene.run()
    try outcome.expect(0)
    try outcome.expectCounts(["imported": names.count])
    #expect(try scene.originalNames() == ["CF5.jpg", "CRW_15.jpg", "IMGP1.jpg", "PICT13.jpg", "SDIM14.jpg"])
    for (path, _) in try scene.originals() {
      let bytes = String(decoding: try readBytes(scene.library + "/Originals/" + path), as: UTF8.self)
      for word in ["PENTAX", "Phase", "MINOLTA", "Canon", "2021:05:06"] {
        #expect(!bytes.contains(word), "\(path): \(word)")
      }
    }
    try scene.expectVerified()
  }

  @Test("A raw file that is cut is named as damaged under keep")
  func cut() throws {
    let scene = try Scene(policy: "keep").declare("camera")
    let files = try Self.files()
    for file in files { try scene.put("sources/camera/\(file.name)", Array(file.bytes.dropLast(100))) }
    let outcome = try scene.run()
    try outcome.expect(3)
    #expect(try outcome.failures() == files.map { "\($0.name): damaged" }.sorted())
  }
}
