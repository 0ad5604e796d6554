import MediaManifest
import MediaModel
import MediaTestSupport
import Testing

@Suite("Labels")
struct LabelTests {
  private let date = CaptureDate(local: "2026-03-09T07:05:01", offsetMinutes: 60, tag: "DateTimeOriginal")

  @Test(
    "A template gives this label",
    arguments: [
      ("{originalName}", "IMG_1"),
      ("{creationDate:yyyy-MM-dd} {originalName}", "2026-03-09 IMG_1"),
      ("{creationDate}", "2026-03-09"),
      ("{creationDate:yyyyMMdd'T'HHmmss}", "20260309T070501"),
      ("{creationDate:HH.mm 'o''clock'}", "07.05 o'clock"),
      ("{creationDate:''yyyy''}", "'2026'"),
      ("{source} {number} {number:4}", "camera 42 0042"),
      ("{number:1}", "42"),
      ("{{{number}}}", "{42}"),
      ("写真 {source}", "写真 camera"),
    ]
  )
  func render(_ text: String, _ label: String) throws {
    let template = try LabelTemplate(text)
    #expect(
      template.render(originalName: "IMG_1", creationDate: date, source: .camera, number: 42)
        == label
    )
  }

  @Test("Without a date, or with one that is none, a label says undated")
  func undated() throws {
    let template = try LabelTemplate("{creationDate:yyyy-MM-dd ss} x")
    for local in [nil, "", "202", "20x6-03-09T07:05:01", "２０２６-03-09T07:05:01"] {
      let date = local.map { CaptureDate(local: $0, offsetMinutes: nil, tag: "t") }
      #expect(
        template.render(originalName: "a", creationDate: date, source: .library, number: 1)
          == "undated x"
      )
    }
  }

  @Test(
    "Of a date without a time of day, a label leaves out the time and the text beside it",
    arguments: [
      ("{creationDate:yyyy-MM-dd} x", "2019-07-04 x"),
      ("{creationDate:yyyy-MM-dd HH.mm.ss} x", "2019-07-04 x"),
      ("{creationDate:yyyyMMdd'T'HHmmss'Z'}", "20190704"), ("{creationDate:'at' HH 'on' dd}", "04"),
      ("{creationDate:'on' dd}", "on 04"), ("{creationDate:HH.mm}", "undated"),
      ("{creationDate:dd 'o''clock' HH.mm yyyy}", "042019"),
    ]
  )
  func dateOnly(text: String, label: String) throws {
    let date = CaptureDate(local: "2019-07-04", offsetMinutes: nil, tag: CaptureDate.nameTag)
    let template = try LabelTemplate(text)
    #expect(template.render(originalName: "a", creationDate: date, source: .camera, number: 1) == label)
  }

  @Test("A template says what it publishes")
  func publishes() throws {
    #expect(try LabelTemplate("{creationDate:yyyy} x").publishesCreationDate)
    #expect(try !LabelTemplate("{{creationDate}} {number}").publishesCreationDate)
    #expect(try LabelTemplate("{originalName}").publishesOriginalName)
    #expect(try !LabelTemplate("{source}").publishesOriginalName)
  }

  private func read(_ text: String) -> (file: LabelsFile?, issues: [ManifestIssue]) {
    LabelsFile.read(Array(text.utf8))
  }

  @Test("Quoted fields, both line ends and a missing last one are read")
  func labelsFile() throws {
    let result = read(
      "source,path,label\r\ncamera,100APPLE/IMG_1.JPG,Harbour at dawn\n"
        + "\"library\",\"a,b.jpg\",\"Nets, \"\"drying\"\"\nin rows\"\r\nmicrophone,caf%E9.wav, x"
    )
    let file = try #require(result.file, "\(result.issues)")
    #expect(file.rows.map(\.line) == [2, 3, 5])
    #expect(file.labels[.camera]?[ItemPath(bytes: Array("100APPLE/IMG_1.JPG".utf8))] == "Harbour at dawn")
    #expect(file.labels[.library]?[ItemPath(bytes: Array("a,b.jpg".utf8))] == "Nets, \"drying\"\nin rows")
    #expect(
      file.labels[.microphone]?[ItemPath(bytes: Array("caf".utf8) + [0xE9] + Array(".wav".utf8))]
        == " x"
    )
  }

  @Test("A file with only its header has no labels")
  func headerOnly() throws {
    #expect(read("source,path,label").file?.rows.isEmpty == true)
    #expect(read("source,path,label\r\n").file?.rows.isEmpty == true)
  }

  @Test(
    "A bad row is named with its line, and so is every other one",
    arguments: [
      ("camera,a", ManifestIssueCode.wrongFieldCount), ("camera,a,b,c", .wrongFieldCount),
      ("", .wrongFieldCount), (String(repeating: ",", count: 10_000), .wrongFieldCount),
      ("photos,a,b", .unknownSource), ("Camera,a,b", .unknownSource),
      (" camera,a,b", .unknownSource),
      ("camera,/a,b", .invalidPath), ("camera,,b", .invalidPath), ("camera,a/../b,c", .invalidPath),
      ("camera,a//b,c", .invalidPath), ("camera,./a,c", .invalidPath),
      ("camera,a%00b,c", .invalidPath),
      ("camera,%2e%2e,c", .invalidPath), ("camera,a/,c", .invalidPath),
      ("camera,a,", .invalidText), ("camera,a,\" \t\"", .invalidText),
      ("camera,a,\u{200B}", .invalidText),
      ("camera,a,b\u{0}c", .nul), ("camera,a,b\rc", .badQuote),
      ("camera,a,x\"y", .badQuote), ("camera,\"a\"b,c", .badQuote),
      ("camera,first,again", .duplicateRow),
      ("camera,f%69rst,again", .duplicateRow),
    ]
  )
  func badRows(_ row: String, _ code: ManifestIssueCode) {
    let result = read("source,path,label\ncamera,first,x\n\(row)\n\(row)\ncamera,last,y\n")
    #expect(result.file == nil)
    #expect(result.issues.map(\.code) == [code, code])
    #expect(result.issues.map(\.line) == [3, 4])
    #expect(
      zip(result.issues, ["$[1]", "$[2]"]).allSatisfy {
        $0.path == $1 || $0.path.hasPrefix($1 + ".")
      }
    )
  }

  @Test("A mistake says where it is, as one in a manifest does")
  func places() {
    let issue = read("source,path,label\ncamera,a,b\ncamera,c, \n").issues.first
    #expect(
      issue?.description(in: "labels.csv")
        == "labels.csv:3:10: $[1].label: the label is empty."
    )
    #expect(read("source,path\n").issues.first?.path == "$")
  }

  @Test("A quote that is never closed is named where its row starts")
  func openQuote() {
    let result = read("source,path,label\ncamera,a,\"b\ncamera,c,d\n")
    #expect(result.issues.map(\.code) == [.badQuote])
    #expect(result.issues.first?.line == 2)
  }

  @Test(
    "Another header is a mistake",
    arguments: [
      "", "\n", "source;path;label", "Source,Path,Label", "path,source,label", "source,path",
    ]
  )
  func header(_ text: String) {
    #expect(read(text).issues.map(\.code) == [.wrongHeader])
  }

  @Test("A source is named as the manifest names it, or by the word of a kind")
  func namesOfSources() throws {
    let zoe = SourceID(.library, name: "Zoe")
    let bytes = Array("source,path,label\nZoe,a.jpg,A\ncamera,a.jpg,B\n".utf8)
    let file = try #require(LabelsFile.read(bytes, sources: [zoe]).file)
    #expect(file.labels[zoe]?.count == 1 && file.labels[.camera]?.count == 1 && file.labels[.library] == nil)
    let issues = LabelsFile.read(bytes).issues
    #expect(issues.map(\.code) == [.unknownSource])
    #expect(issues.first?.issue.allowed == ["camera", "library", "microphone"])
    // No source of the manifest is called so: the row would be met by nothing, and nobody told.
    let ofKind = LabelsFile.read(Array("source,path,label\nlibrary,a.jpg,A\n".utf8), sources: [zoe]).issues
    #expect(ofKind.map(\.code) == [.unknownSource])
    #expect(ofKind.first?.issue.allowed == ["Zoe", "camera", "microphone"])
  }

  @Test("A byte order mark and bytes that are not UTF-8 are mistakes")
  func encoding() {
    #expect(read("\u{FEFF}source,path,label\n").issues.map(\.code) == [.byteOrderMark])
    let bytes = Array("source,path,label\ncamera,a,caf".utf8) + [0xE9, 0x0A]
    let issues = LabelsFile.read(bytes).issues
    #expect(issues.map(\.code) == [.invalidUTF8])
    #expect(issues.first?.path == "$[0].label")
  }

  @Test("Two names that Unicode calls equal are two files")
  func normalization() throws {
    let file = try #require(read("source,path,label\ncamera,caf\u{E9},x\ncamera,cafe\u{301},y\n").file)
    #expect(file.labels[.camera]?.count == 2)
  }

  @Test("2,000 damaged labels files: each is read or has mistakes, and none ends the program")
  func mutations() {
    var generator = SeededGenerator(seed: 4)
    let base = Array("source,path,label\r\ncamera,a/b.jpg,\"Nets, \"\"x\"\"\"\nlibrary,caf%E9,é\n".utf8)
    var refused = 0
    for _ in 0..<2000 {
      var bytes = base
      for _ in 0...(generator.next() % 3) {
        let offset = Int(generator.next() % UInt64(bytes.count))
        switch generator.next() % 3 {
        case 0: bytes[offset] = UInt8(truncatingIfNeeded: generator.next())
        case 1: bytes.remove(at: offset)
        default: bytes.insert(Array(",\"\n\r%".utf8)[Int(generator.next() % 5)], at: offset)
        }
      }
      let result = LabelsFile.read(bytes)
      #expect((result.file == nil) == !result.issues.isEmpty)
      if result.file == nil { refused += 1 }
    }
    #expect(refused > 500)
  }
}
