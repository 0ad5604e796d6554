import Foundation
import MediaSyntax
import MediaTestSupport
import Testing

@Suite("Export --sidecars beside sidecars of the library", .enabled(if: Has.sqlite, "no sqlite3"))
struct OwnSidecarTests {
  /// A packet that cannot be completed.
  private static let withoutDescription =
    "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'/>"
    + "</x:xmpmeta>"

  /// As darktable 4.6 writes one, with exiv2.
  private static let darktable = """
    <?xml version="1.0" encoding="UTF-8"?>
    <x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="XMP Core 4.4.0-Exiv2">
     <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <rdf:Description rdf:about=""
        xmlns:exif="http://ns.adobe.com/exif/1.0/"
        xmlns:xmp="http://ns.adobe.com/xap/1.0/"
        xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/"
        xmlns:darktable="http://darktable.sf.net/"
        xmlns:dc="http://purl.org/dc/elements/1.1/"
        xmlns:lr="http://ns.adobe.com/lightroom/1.0/"
       exif:DateTimeOriginal="2019:07:04 10:15:30.000"
       xmp:Rating="4"
       xmpMM:DerivedFrom="a.jpg"
       darktable:import_timestamp="63855526530000000"
       darktable:change_timestamp="63855526599000000"
       darktable:xmp_version="5"
       darktable:raw_params="0"
       darktable:auto_presets_applied="1"
       darktable:history_end="1"
       darktable:iop_order_version="4">
       <dc:subject>
        <rdf:Bag>
         <rdf:li>sea</rdf:li>
         <rdf:li>darktable|exported</rdf:li>
        </rdf:Bag>
       </dc:subject>
       <lr:hierarchicalSubject>
        <rdf:Bag>
         <rdf:li>places|sea</rdf:li>
        </rdf:Bag>
       </lr:hierarchicalSubject>
       <darktable:masks_history>
        <rdf:Seq/>
       </darktable:masks_history>
       <darktable:history>
        <rdf:Seq>
         <rdf:li
          darktable:num="0"
          darktable:operation="exposure"
          darktable:enabled="1"
          darktable:modversion="6"
          darktable:params="00000000000080bf0000003f00004842000080c00100000001000000"
          darktable:multi_name=""
          darktable:multi_priority="0"
          darktable:blendop_version="13"
          darktable:blendop_params="gz11eJxjYIAACQYYOOHEgAZY0QWAgBGLGANDgz0Ej1Q+dlAx68oBEMbFxwX+AwGIBgCbGCeh"/>
        </rdf:Seq>
       </darktable:history>
      </rdf:Description>
     </rdf:RDF>
    </x:xmpmeta>

    """

  /// As digiKam 8 writes one.
  private static let digiKam = """
    <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
    <x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="XMP Core 4.4.0-Exiv2">
     <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <rdf:Description rdf:about=""
        xmlns:digiKam="http://www.digikam.org/ns/1.0/"
        xmlns:xmp="http://ns.adobe.com/xap/1.0/"
        xmlns:acdsee="http://ns.acdsee.com/iptc/1.0/"
        xmlns:MicrosoftPhoto="http://ns.microsoft.com/photo/1.0/"
        xmlns:exif="http://ns.adobe.com/exif/1.0/"
        xmlns:tiff="http://ns.adobe.com/tiff/1.0/"
        xmlns:lr="http://ns.adobe.com/lightroom/1.0/"
        xmlns:dc="http://purl.org/dc/elements/1.1/"
       digiKam:PickLabel="3"
       digiKam:ColorLabel="0"
       digiKam:ImageUniqueID="0123456789abcdef0123456789abcdef"
       xmp:Rating="4"
       xmp:CreateDate="2019-07-04T10:15:30"
       acdsee:rating="4"
       MicrosoftPhoto:Rating="75"
       exif:DateTimeOriginal="2019-07-04T10:15:30"
       tiff:ImageDescription="The bay &amp; the lighthouse">
       <digiKam:TagsList>
        <rdf:Seq>
         <rdf:li>Places/Sea</rdf:li>
        </rdf:Seq>
       </digiKam:TagsList>
       <acdsee:categories>&lt;Categories&gt;&lt;Category Assigned=&quot;1&quot;&gt;Sea&lt;/Category&gt;&lt;/Categories&gt;</acdsee:categories>
       <lr:hierarchicalSubject>
        <rdf:Bag>
         <rdf:li>Places|Sea</rdf:li>
        </rdf:Bag>
       </lr:hierarchicalSubject>
       <dc:description>
        <rdf:Alt>
         <rdf:li xml:lang="x-default">The bay &amp; the lighthouse</rdf:li>
        </rdf:Alt>
       </dc:description>
      </rdf:Description>
     </rdf:RDF>
    </x:xmpmeta>
    <?xpacket end="w"?>
    """

  private func scene(_ packet: String) throws -> Scene {
    let scene = Scene(policy: "keep")
    try scene.declare("library")
    try scene.put("sources/library/a.jpg", try Media.photo("1"))
    try scene.put("sources/library/a.jpg.xmp", packet)
    try scene.put("sources/library/b.jpg", try Media.photo("2"))
    try scene.run().expect(0)
    return scene
  }

  private let call = [
    "export", "Library", "out", "--sidecars", "xmp", "--layout", "{label}", "--format", "json",
  ]

  @Test(
    "A sidecar of another program gets what it lacks, and every byte of its own stays",
    arguments: [darktable, darktable.replacing("\n", with: "\r\n"), digiKam],
    [[], ["--embed", "date"]]
  )
  func completed(packet: String, arguments: [String]) throws {
    let scene = try scene(packet)
    let outcome = try scene.command(call + arguments)
    try outcome.expect(0)
    #expect(try outcome.json()["notCompleted"].array.isEmpty, "\(outcome.output)")
    #expect(try scene.madePaths("out").sorted() == ["a.jpg", "a.jpg.xmp", "b.jpg", "b.jpg.xmp"])
    let text = String(decoding: try readBytes(scene.at("out/a.jpg.xmp")), as: UTF8.self)
    let parts = packet.components(separatedBy: "</rdf:RDF>")
    #expect(text.hasPrefix(parts[0]) && text.hasSuffix("</rdf:RDF>" + parts[1]))
    let added = text.dropFirst(parts[0].count).dropLast(parts[1].count)
    #expect(added.contains("<dc:title>") && added.contains(">a</rdf:li>"), "\(added)")
    // The picture's own date is another one.
    for name in [
      "xmp:Rating", "exif:DateTimeOriginal", "xmp:CreateDate", "photoshop:DateCreated",
      "digiKam:TagsList", "dc:subject", "lr:hierarchicalSubject",
    ] { #expect(!added.contains("<\(name)>"), "\(name)") }
    let count = try scene.madeFiles("out").count
    try scene.put("sources/library/c.jpg", try Media.photo("another"))
    try scene.run().expect(0)
    let again = try scene.command(call + arguments)
    try again.expect(0)
    #expect(try scene.madeFiles("out").count == count + 2)
    #expect(try readBytes(scene.at("out/a.jpg.xmp")) == Array(text.utf8))
  }

  @Test(
    "exiftool and exiv2 read both halves of such a sidecar",
    .enabled(if: Has.exiftool && Tool.exists("exiv2"), "no exiftool or exiv2"),
    arguments: [darktable, digiKam]
  )
  func read(packet: String) throws {
    let scene = try scene(packet)
    try scene.command(call).expect(0)
    let sidecar = scene.at("out/a.jpg.xmp")
    let read = try Tool.run("exiftool", ["-s", "-Title", "-Rating", "-DateTimeOriginal", sidecar])
    #expect(read.output.contains("Title") && read.output.contains(": a\n"), "\(read.output)")
    #expect(read.output.contains(": 4\n") && read.output.contains("2019:07:04 10:15:30"))
    let other = try Tool.run("exiv2", ["-PXkt", sidecar])
    #expect(other.status == 0 && other.output.contains("Xmp.dc.title"), "\(other.output)")
    #expect(other.output.contains("Xmp.exif.DateTimeOriginal"))
  }

  @Test(
    "A sidecar counts among the files that tell where they were taken once the place is in it",
    .enabled(if: Has.exiftool, "no exiftool"),
    arguments: [(darktable, 1), (withoutDescription, 0)]
  )
  func places(packet: String, count: Int) throws {
    let scene = Scene(policy: "keep")
    // The place is that of a track, so that neither file of the source has it.
    if case .object(var texts)? = scene.manifest["usageDescriptions"] {
      texts["NSLocationWhenInUseUsageDescription"] = "Pictures get the places of tracks."
      scene.manifest["usageDescriptions"] = .object(texts)
    }
    try scene.declare("library", "authorized", ["tracks": ["track.gpx"]])
    try scene.put(
      "track.gpx",
      """
      <gpx><trk><trkseg><trkpt lat="48.858" lon="2.294"><time>2019-07-04T08:15:30Z</time></trkpt>
      </trkseg></trk></gpx>
      """
    )
    let photo = try scene.put("sources/library/a.jpg", try Media.photo("1"))
    try Independent.make(
      "exiftool",
      [
        "-q", "-overwrite_original", "-all=", "-DateTimeOriginal=2019:07:04 10:15:30",
        "-OffsetTimeOriginal=+02:00", photo,
      ]
    )
    try scene.put("sources/library/a.jpg.xmp", packet)
    try scene.run().expect(0)
    let outcome = try scene.command(call)
    try outcome.expect(0)
    let placed = try scene.madePaths("out").filter { path in
      try Independent.exif(scene.at("out/" + path)).keys.contains { $0.hasSuffix("GPSLatitude") }
    }
    #expect(placed.count == count, "\(placed)")
    #expect(try outcome.json()["places"].int ?? 0 == count, "\(outcome.output)")
    #expect(try outcome.json()["notCompleted"].array.count == 1 - count, "\(outcome.output)")
  }

  @Test(
    "A sidecar that is no packet stays as it is, and is named",
    arguments: [withoutDescription]
  )
  func named(packet: String) throws {
    let scene = try scene(packet)
    let outcome = try scene.command(call)
    try outcome.expect(0)
    #expect(try readBytes(scene.at("out/a.jpg.xmp")) == Array(packet.utf8))
    let named = try outcome.json()["notCompleted"].array
    #expect(named.compactMap { $0["path"].string } == ["a.jpg.xmp"])
    #expect(outcome.error.contains("\"a.jpg.xmp\" is as it is in the library"), "\(outcome.error)")
  }
}
