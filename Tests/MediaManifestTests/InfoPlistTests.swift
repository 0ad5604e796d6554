import Foundation
import MediaModel
import Testing

@testable import MediaManifest

@Suite("An app's Info.plist")
struct InfoPlistTests {
  /// As in the two files, which Python's plistlib wrote.
  static let app = InfoPlist(
    usageDescriptions: [
      .camera: .text("Photos taken on set are published to the feed."),
      .photoLibrary: .text("Vous choisissez les photos à publier – <b>&</b> 📷."),
      .microphone: .text("Videos keep their sound.\nNothing else is recorded."),
    ],
    preventsAutomaticLimitedAccessAlert: true
  )

  static func file(_ name: String) throws -> [UInt8] {
    try ManifestCases.bytes("property-lists/" + name)
  }

  /// Code, path, line and column of each mistake.
  private static func issues(_ text: String) -> [String] {
    InfoPlist.read(Array(text.utf8)).issues.map {
      "\($0.line):\($0.column) \($0.code.rawValue) \($0.path)"
    }
  }

  private static func plist(_ body: String) -> String { "<plist version=\"1.0\">\(body)</plist>" }

  @Test("XML and binary say the same", arguments: ["app-xml.plist", "app-binary.plist"])
  func bothKinds(_ name: String) throws {
    let reading = InfoPlist.read(try Self.file(name))
    #expect(reading.issues.isEmpty)
    #expect(reading.infoPlist == Self.app)
  }

  @Test(
    "What Foundation writes is understood",
    arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary]
  )
  func foundation(_ format: PropertyListSerialization.PropertyListFormat) throws {
    let words = "\u{1F4F7} ]]> & \u{E9}\u{301} " + String(repeating: "long ", count: 100)
    let list: [String: Any] = [
      "NSCameraUsageDescription": words, "NSMicrophoneUsageDescription": 7,
      "NSPhotoLibraryAddUsageDescription": "", "Nested": ["a": [1, 2.5, Date(), Data([1, 2])]],
      "PHPhotoLibraryPreventAutomaticLimitedAccessAlert": false,
    ]
    let data = try PropertyListSerialization.data(fromPropertyList: list, format: format, options: 0)
    let reading = InfoPlist.read(Array(data))
    #expect(reading.issues.isEmpty)
    #expect(reading.infoPlist?.usageDescriptions[.camera] == .text(words))
    #expect(reading.infoPlist?.usageDescriptions[.microphone] == .notAString)
    #expect(reading.infoPlist?.usageDescriptions[.photoLibraryAdd] == .text(""))
    #expect(reading.infoPlist?.usageDescriptions[.photoLibrary] == nil)
    #expect(reading.infoPlist?.preventsAutomaticLimitedAccessAlert == false)
  }

  @Test("Escapes, CDATA, comments and line ends in XML are what XML says")
  func text() {
    let body =
      "<!-- <key>NSCameraUsageDescription</key> --><dict><key>NSCamera&#85;sage&#x44;escription"
      + "</key><string>a &lt;b&gt; &amp;amp; <![CDATA[<c> &amp; ]] ]]>\r\nd\re&#13;</string>"
      + "<key>NSMicrophoneUsageDescription</key><string/></dict>"
    let reading = InfoPlist.read(Array(Self.plist(body).utf8))
    #expect(
      reading.infoPlist?.usageDescriptions == [
        .camera: .text("a <b> &amp; <c> &amp; ]] \nd\ne\r"), .microphone: .text(""),
      ]
    )
  }

  @Test("A repeated key is a mistake wherever it is, however it is written")
  func duplicates() {
    let key = "<key>NSCameraUsageDescription</key><string>one</string>"
    #expect(Self.issues(Self.plist("<dict>\n\(key)\n\(key)\n</dict>")) == ["3:1 duplicateKey $"])
    for spelling in ["NSCameraUsageDescriptio&#110;", "<![CDATA[NSCamera]]>UsageDescription"] {
      let second = "<key>\(spelling)</key><string>two</string>"
      #expect(Self.issues(Self.plist("<dict>\n\(key)\n\(second)</dict>")).count == 1)
    }
    #expect(
      Self.issues(
        Self.plist(
          "<dict><key>a</key><array><true/>\n<dict><key>b</key><true/>\n<key>b</key><true/></dict>"
            + "</array></dict>"
        )
      ) == ["3:1 duplicateKey $.a[1]"]
    )
    #expect(Self.issues(Self.plist("<dict>\(key)<key>a</key><dict>\(key)</dict></dict>")).isEmpty)
  }

  @Test(
    "A repeated key in a binary list is a mistake, in its outermost dictionary and in any other"
  )
  func binaryDuplicates() throws {
    let bytes = try Self.file("app-binary.plist")
    func renamed(_ name: String, _ other: String) throws -> [UInt8] {
      let from = Array(name.utf8)
      let start = try #require(bytes.indices.first { bytes[$0...].starts(with: from) })
      var changed = bytes
      changed.replaceSubrange(start..<(start + from.count), with: Array(other.utf8))
      return changed
    }
    let outer = InfoPlist.read(try renamed("Scale", "Token"))
    #expect(outer.issues.map(\.code) == [.duplicateKey])
    #expect(outer.issues.first?.path == "$")
    #expect(outer.infoPlist == nil)
    let list: [String: Any] = ["a": ["bb": 1, "bc": 2], "NSCameraUsageDescription": "x"]
    let data = try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
    var inner = Array(data)
    let offset = try #require(inner.indices.first { inner[$0...].starts(with: Array("bc".utf8)) })
    inner[offset + 1] = UInt8(ascii: "b")
    #expect(InfoPlist.read(inner).issues.map(\.code) == [.duplicateKey])
  }

  @Test("Foundation takes a repeated key without a word, which is why it is not asked")
  func foundationTakesDuplicates() throws {
    let text = Self.plist(
      "<dict><key>NSCameraUsageDescription</key><string>one</string>"
        + "<key>NSCameraUsageDescription</key><string>two</string></dict>"
    )
    let list = try PropertyListSerialization.propertyList(from: Data(text.utf8), format: nil)
    #expect((list as? [String: String])?.count == 1)
  }

  @Test(
    "What is no property list is a mistake, at its place",
    arguments: [
      ("", "1:1 syntax $"), ("hello", "1:1 syntax $"),
      ("{ NSCameraUsageDescription = x; }", "1:1 syntax $"),
      ("\u{FEFF}<plist><dict/></plist>", "1:1 byteOrderMark $"),
      ("<plist><dict/></plist>x", "1:23 syntax $"),
      ("<plist><dict/>", "1:15 syntax $"), ("<plist></plist>", "1:1 syntax $"),
      ("<plist/>", "1:1 syntax $"), ("<dict/>", "1:1 syntax $"),
      ("<plist><string>x</string></plist>", "1:8 wrongType $"),
      ("<plist><dict><string>x</string></dict></plist>", "1:14 syntax $"),
      ("<plist><dict><key>a</key></dict></plist>", "1:26 syntax $"),
      ("<plist><dict><key>a</key><true></dict></plist>", "1:32 syntax $"),
      ("<plist><dict><key>a</key><set/></dict></plist>", "1:26 syntax $.a"),
      ("<plist><dict><key>a<!-- --></key><true/></dict></plist>", "1:20 syntax $"),
      ("<plist><dict><key>&a;</key><true/></dict></plist>", "1:19 syntax $"),
      ("<plist><dict><key>&#0;</key><true/></dict></plist>", "1:19 syntax $"),
      ("<plist><dict><key>&#xD800;</key><true/></dict></plist>", "1:19 syntax $"),
      ("<plist><dict><key>&#1114112;</key><true/></dict></plist>", "1:19 syntax $"),
      ("<plist><dict><key a=\"b\">k</key><true/></dict></plist>", "1:18 syntax $"),
      ("<plist><dict><key>a\u{0}</key><true/></dict></plist>", "1:20 nul $"),
      (
        "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><plist><dict/></plist>", "1:1 invalidUTF8 $"
      ),
      (
        "<!DOCTYPE plist [<!ENTITY a SYSTEM \"file:///etc/passwd\">]><plist><dict/></plist>",
        "1:17 syntax $"
      ),
      (
        "<plist><dict><key>PHPhotoLibraryPreventAutomaticLimitedAccessAlert</key><string>YES</string></dict></plist>",
        "1:14 wrongType $.PHPhotoLibraryPreventAutomaticLimitedAccessAlert"
      ),
    ]
  )
  func noPropertyList(_ text: String, _ issue: String) {
    #expect(Self.issues(text) == [issue])
    #expect(InfoPlist.read(Array(text.utf8)).infoPlist == nil)
  }

  @Test("Bytes that are no UTF-8, too many of them, and lists too deep are mistakes")
  func limits() {
    let latin = Array("<plist><dict><key>a</key><string>caf".utf8) + [0xE9]
    #expect(InfoPlist.read(latin).issues.map(\.code) == [.invalidUTF8])
    let large = [UInt8](repeating: 0x20, count: InfoPlist.maximumByteCount + 1)
    #expect(InfoPlist.read(large).issues.map(\.code) == [.tooLarge])
    let deep = String(repeating: "<array>", count: 100_000)
    #expect(
      InfoPlist.read(Array("<plist><dict><key>a</key>\(deep)".utf8)).issues.map(\.code)
        == [.tooDeep]
    )
    let brackets = Array(repeating: UInt8(ascii: "<"), count: 1 << 20)
    #expect(InfoPlist.read(brackets).issues.count == 1)
  }

  @Test("Cut anywhere, it is refused", arguments: ["app-xml.plist", "app-binary.plist"])
  func cut(_ name: String) throws {
    let bytes = try Self.file(name)
    // The line end behind the XML may be missing.
    for count in stride(from: bytes.count - 2, to: 0, by: -3) {
      let reading = InfoPlist.read(Array(bytes[..<count]))
      #expect(reading.infoPlist == nil && reading.issues.count == 1, "\(count) bytes")
    }
  }

  @Test("With any one byte of the XML changed, it is refused or says what Foundation reads in it")
  func damagedXML() throws {
    let accepted = try Self.damaged("app-xml.plist") { infoPlist, bytes, change in
      let list = try? PropertyListSerialization.propertyList(from: Data(bytes), format: nil)
      // Foundation refuses dates and numbers that make no sense; nothing of them is used here.
      guard let dictionary = list as? [String: Any] else { return }
      for key in UsageDescriptionKey.allCases {
        let other: UsageDescription? = dictionary[key.rawValue].map {
          if let text = $0 as? String { .text(text) } else { .notAString }
        }
        #expect(infoPlist.usageDescriptions[key] == other, "\(change)")
      }
    }
    #expect(accepted > 300)
  }

  /// Not compared with Foundation: a binary list with a set in it, one bit from a list, ends the
  /// process there.
  @Test("With any one byte of the binary list changed, it is refused, or differs in one place")
  func damagedBinary() throws {
    let accepted = try Self.damaged("app-binary.plist") { infoPlist, _, change in
      let differences = UsageDescriptionKey.allCases.filter {
        infoPlist.usageDescriptions[$0] != Self.app.usageDescriptions[$0]
      }
      #expect(differences.count <= 2, "\(change)")
    }
    #expect(accepted > 300)
  }

  /// How many of the changed files were accepted.
  private static func damaged(
    _ name: String,
    _ check: (InfoPlist, [UInt8], String) -> Void
  ) throws -> Int {
    let bytes = try file(name)
    var accepted = 0
    for index in bytes.indices {
      let flip = ([0x01, 0x20, 0x60] as [UInt8])[index % 3]
      var changed = bytes
      changed[index] ^= flip
      let reading = InfoPlist.read(changed)
      #expect((reading.infoPlist == nil) != reading.issues.isEmpty)
      guard let infoPlist = reading.infoPlist else { continue }
      accepted += 1
      check(infoPlist, changed, "byte \(index) ^ \(flip)")
    }
    return accepted
  }

  @Test("A manifest takes what only the Info.plist has, and keeps its own")
  func merging() throws {
    var manifest = Manifest(
      client: Manifest.Client(identifier: "a", name: "a"),
      usageDescriptions: [
        .camera: .text("Photos taken on set are published to the feed."),
        .photoLibraryAdd: .text("Own."),
      ],
      output: "L"
    )
    let merged = manifest.merging(Self.app)
    #expect(merged.issues.isEmpty)
    var all = Self.app.usageDescriptions
    all[.photoLibraryAdd] = .text("Own.")
    #expect(merged.manifest.usageDescriptions == all)
    #expect(merged.manifest.preventsAutomaticLimitedAccessAlert)
    manifest.preventsAutomaticLimitedAccessAlert = true
    #expect(manifest.merging(InfoPlist()).manifest == manifest)
  }

  @Test("Different words in both places are a mistake at the manifest's key")
  func differentWords() throws {
    let text = """
      { "version": 1, "client": { "identifier": "a" }, "sources": {}, "output": { "path": "L" },
        "infoPlist": "Info.plist",
        "PHPhotoLibraryPreventAutomaticLimitedAccessAlert": false,
        "usageDescriptions": { "NSMicrophoneUsageDescription": "",
          "NSCameraUsageDescription": "Photos taken on set are published to the feed",
          "NSPhotoLibraryUsageDescription": "Caf\\u00e9" } }
      """
    let manifest = try #require(ManifestReader.read(Array(text.utf8)).manifest)
    var infoPlist = Self.app
    infoPlist.usageDescriptions[.photoLibrary] = .text("Cafe\u{301}")
    let issues = manifest.merging(infoPlist).issues.map {
      "\($0.line):\($0.column) \($0.code.rawValue) \($0.path)"
    }
    #expect(
      issues == [
        "3:3 infoPlistDiffers $.PHPhotoLibraryPreventAutomaticLimitedAccessAlert",
        "4:26 usageDescriptionsDiffer $.usageDescriptions.NSMicrophoneUsageDescription",
        "5:5 usageDescriptionsDiffer $.usageDescriptions.NSCameraUsageDescription",
        "6:5 usageDescriptionsDiffer $.usageDescriptions.NSPhotoLibraryUsageDescription",
      ]
    )
    infoPlist.usageDescriptions = [.camera: .notAString]
    #expect(manifest.merging(infoPlist).issues.count == 2)
  }
}
