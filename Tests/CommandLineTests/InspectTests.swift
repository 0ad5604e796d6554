import Foundation
import Glibc
import MediaModel
import MediaTestSupport
import Testing

@Suite("inspect", .serialized)
struct InspectTests {
  /// Photos of the project that hold Exif as such.
  private static let own: [String] =
    (1...8).map(Samples.photo) + [Samples.harbour, Samples.still]

  /// Real ones, where they are.
  private static let real: [String] = {
    ["jpeg", "heic", "avif", "livephoto", "makernote", "orientation", "motionphoto"]
      .flatMap { Corpus.files(beneath: "visible/" + $0) }
      .filter {
        ["jpg", "jpeg", "heic", "avif"].contains(($0 as NSString).pathExtension.lowercased())
      }
  }()

  private static let photos: [String] = own + real

  @Test(
    "It lists the Exif tags that exiftool lists, no more and no fewer",
    .enabled(if: Has.exiftool, "no exiftool")
  )
  func sameAsExiftool() throws {
    let photos = Self.own + Amount.some(24, of: Self.real)
    let json = try Scene.program(["inspect", "--format", "json"] + photos, in: "/").json()
    #expect(json["files"].array.count == photos.count)
    var compared = 0
    for (path, file) in zip(photos, json["files"].array) where file["problem"].isNull {
      #expect(file["byteCount"].int == (try readBytes(path)).count)
      let result = try Tool.run("exiftool", ["-a", "-G1", "-s", "-u", "-j", "-m", path])
      let list = try JSONSerialization.jsonObject(with: Data(result.output.utf8))
      let tags = try #require((list as? [[String: Any]])?.first)
      let theirs = ExifNames.listed(byExiftool: tags.keys).filter {
        !ExifNames.takenApart.contains(String($0.drop { $0 != "/" }.dropFirst()))
      }
      let ours = ExifNames.listed(in: file["entries"].array)
      #expect(ours == theirs, "\(path): \(ours.symmetricDifference(theirs).sorted())")
      if !ours.isEmpty { compared += 1 }
    }
    // Of the real ones, some are damaged.
    #expect(compared >= 10, "\(compared) files have Exif")
    #expect(json["counts"]["inspected"].int ?? 0 >= photos.count * 9 / 10)
  }

  @Test(
    "What strip publishes has nothing more to remove, and the place of every entry is in the file"
  )
  func nothingLeft() throws {
    let scene = Scene(policy: "strip")
    try scene.declare("camera")
    let others = ["png", "webp", "gif", "tiff"].flatMap { Corpus.files(beneath: "visible/" + $0) }
    for (number, photo) in (Self.photos.prefix(40) + [Samples.png] + others).enumerated() {
      let name = "sources/camera/\(number).\((photo as NSString).pathExtension)"
      try scene.put(name, copyOf: photo)
    }
    let outcome = try scene.run()
    #expect([0, 3].contains(outcome.code), "\(outcome.streams)")
    let paths = try scene.originals().map { "Library/Originals/" + $0.path }
    try #require(paths.count >= 8)
    let json = try scene.inspected(paths)
    var checked = 0
    for file in json["files"].array {
      #expect(file["stripProblem"].isNull)
      for entry in file["entries"].array {
        let path = entry["path"].string ?? ""
        #expect(entry["removed"].bool == false, "\(file["path"].string ?? ""): \(path)")
        checked += 1
        let end = (entry["offset"].int ?? .max) + (entry["byteCount"].int ?? 0)
        #expect(end <= file["byteCount"].int ?? 0)
      }
    }
    #expect(checked >= paths.count)
  }

  // MARK: Values

  /// A photo that says a canary wherever exiftool can write one.
  private func canary(_ scene: Scene, _ text: String) throws -> String {
    let path = try scene.put("canary.jpg", copyOf: Samples.harbour)
    let tags = [
      "IFD0:Artist", "IFD0:ImageDescription", "IFD0:XPTitle", "ExifIFD:UserComment",
      "ExifIFD:LensModel", "XMP-dc:Title", "XMP-dc:Creator", "IPTC:Keywords", "IPTC:Headline",
      "Comment",
    ]
    try Independent.make(
      "exiftool",
      ["-q", "-m", "-overwrite_original"] + tags.map { "-\($0)=\(text)" }
        + ["-GPSLatitude=54.321", "-GPSLatitudeRef=N", path]
    )
    return path
  }

  @Test(
    "Values are printed only when they are asked for",
    .enabled(if: Has.exiftool, "no exiftool")
  )
  func valuesArePrivate() throws {
    let scene = Scene()
    let path = try canary(scene, "CANARY")
    for format in ["text", "json"] {
      let quiet = try scene.inspect("--format", format, path)
      try quiet.expect(0)
      #expect(quiet.output.contains("IFD0/Artist") && quiet.output.contains("GPSLatitude"))
      for word in ["CANARY", "EO-1", "Example Optics", "54.3", " = ", "\"value\""] {
        #expect(!quiet.streams.contains(word), "\(word) in \(quiet.streams)")
      }
      let loud = try scene.inspect("--show-values", "--format", format, path)
      try loud.expect(0)
      let count = loud.output.components(separatedBy: "CANARY").count - 1
      #expect(count >= 8, "\(loud.output)")
      #expect(loud.output.contains("Example Optics"))
    }
  }

  @Test(
    "A value cannot speak to the terminal, nor go on without end",
    .enabled(if: Has.exiftool, "no exiftool")
  )
  func hostileValues() throws {
    let scene = Scene()
    let text = "\u{1B}[2J\u{202E}\u{9B}31m\r" + String(repeating: "y", count: 5000)
    let path = try canary(scene, text)
    for format in ["text", "json"] {
      let outcome = try scene.inspect("--show-values", "--format", format, path)
      try outcome.expect(0)
      for scalar in ["\u{1B}", "\u{202E}", "\u{9B}", "\r"] {
        #expect(!outcome.output.unicodeScalars.contains { String($0) == scalar })
      }
      #expect(outcome.output.contains("u{202E}31m"))
      #expect(!outcome.output.contains(String(repeating: "y", count: 300)))
    }
  }

  @Test("--except changes what is marked", .enabled(if: Has.exiftool, "no exiftool"))
  func exceptions() throws {
    let scene = Scene()
    let path = try canary(scene, "x")
    func removed(_ arguments: String...) throws -> [String: Bool] {
      let json = try scene.inspected(arguments + [path])
      var marks: [String: Bool] = [:]
      for entry in json["files"].array[0]["entries"].array {
        marks[
          (entry["path"].string ?? "").components(separatedBy: "/").suffix(2).joined(separator: "/")
        ] =
          entry["removed"].bool
      }
      return marks
    }
    let all = try removed()
    #expect(all["IFD0/Artist"] == true && all["GPS/GPSLatitude"] == true)
    let some = try removed("--except", "copyright,location:coarse")
    #expect(some["IFD0/Artist"] == false && some["GPS/GPSLatitude"] == false)
    #expect(some["IFD0/Make"] == true)
    // A coarse place is shown as it is written: in whole tenths of a degree.
    let coarse = try scene.inspect("--except", "location:coarse", "--show-values", path)
    let latitude = coarse.output.split(separator: "\n").first { $0.contains("GPS/GPSLatitude =") }
    let shown = try #require(latitude).split(separator: "=").last.map(String.init) ?? ""
    let numbers = shown.split(separator: " ").compactMap { part -> Double? in
      let parts = part.split(separator: "/").compactMap { Double($0) }
      return parts.count == 2 ? parts[0] / parts[1] : nil
    }
    #expect(numbers.count == 3, "\(shown)")
    let tenths = (numbers[0] + numbers[1] / 60 + numbers[2] / 3600) * 10
    #expect(abs(tenths - tenths.rounded()) < 1e-6, "\(shown)")
    let text = try scene.inspect("--except", "copyright", path)
    #expect(text.output.contains("keeps    person    APP1 Exif/IFD0/Artist"))
    #expect(text.output.contains("removes  device    APP1 Exif/IFD0/Make"))
    for wrong in ["copyrigth", "", "location,location:coarse", "camera:coarse"] {
      try scene.inspect("--except", wrong, path).expect(64)
    }
    try scene.inspect().expect(64)
  }

  // MARK: Files

  @Test("Every name is shown so that it can be read back, and none speaks to the terminal")
  func hostileNames() throws {
    let scene = Scene()
    try scene.makeFolder("names")
    let photo = try Media.photo("same")
    let names = Amount.some(24, of: HostileNameTests.names)
    for name in names {
      try Media.write(photo, folder: scene.at("names"), name: name)
    }
    let script = "shopt -s dotglob; cd names; exec \"$mediabatch\" inspect --format \"$0\" -- *"
    let json = try scene.shell(script.replacingOccurrences(of: "\"$0\"", with: "json"))
    try json.expect(0)
    let paths = try json.json()["files"].array.compactMap { $0["path"].string }
    #expect(Set(paths.map { EscapedText.bytes(percentEscaped: $0) }) == Set(names))
    let text = try scene.shell(script.replacingOccurrences(of: "\"$0\"", with: "text"))
    try text.expect(0)
    for scalar in text.output.unicodeScalars where scalar != "\n" {
      if !EscapedText.isPrintable(scalar) { Issue.record("U+\(String(scalar.value, radix: 16))") }
    }
  }

  @Test("A file that cannot be inspected is named with its reason, and the others go on")
  func others() throws {
    let scene = Scene()
    let whole = try Media.photo("whole")
    try scene.put("a.jpg", whole)
    try scene.put("cut.jpg", Array(whole.prefix(700)))
    try scene.put("text.txt", "no picture")
    try scene.put("empty.jpg", [])
    try scene.put("z.jpg", whole)
    try scene.put("folder/deeper/b.jpg", whole)
    mkfifo(scene.at("fifo"), 0o600)
    try FileManager.default.createSymbolicLink(atPath: scene.at("link"), withDestinationPath: "a.jpg")
    let names = [
      "a.jpg", "cut.jpg", "text.txt", "empty.jpg", "folder", "fifo", "/dev/zero", "link", "z.jpg",
    ]
    let json = try scene.inspected(names, code: 3)
    let reasons = json["files"].array.map { $0["problem"]["reason"].string ?? "none" }
    #expect(
      reasons == [
        "none", "damaged", "unknownFormat", "unknownFormat", "none", "notRegularFile",
        "notRegularFile", "none", "none",
      ]
    )
    #expect(json["files"].array[4]["path"].string == "folder/deeper/b.jpg")
    #expect(json["counts"]["inspected"].int == 4 && json["counts"]["files"].int == 9)
    let text = try Scene.program(["inspect"] + names, in: scene.path)
    try text.expect(3)
    for name in names[1...6] where name != "folder" {
      #expect(text.error.contains("\"\(name)\" was not inspected: "))
    }
    #expect(text.output.hasSuffix("keeps \(json["counts"]["kept"].int ?? -1).\n"))

    try FileManager.default.createSymbolicLink(atPath: scene.at("loose"), withDestinationPath: "no")
    let missing = try scene.inspected(["cut.jpg", "nowhere.jpg", "loose", "a.jpg"], code: 66)
    #expect(
      missing["files"].array.map { $0["problem"]["reason"].string ?? "none" }
        == ["damaged", "missing", "missing", "none"]
    )
  }

  @Test("A file with more entries than are listed says so")
  func tooMany() throws {
    let scene = Scene()
    let bytes = try readBytes(Samples.harbour)
    let comment: [UInt8] = [0xFF, 0xFE, 0, 4, 0x68, 0x69]
    let comments = Array(repeatElement(comment, count: 10_500).joined())
    let path = try scene.put("many.jpg", bytes[..<2] + comments + bytes[2...])
    let file = try scene.inspected([path])["files"].array[0]
    #expect(file["complete"].bool == false)
    #expect(file["entries"].array.count >= 10_000)
    #expect(try scene.inspect(path).output.contains("There are more"))
    #expect(try scene.inspected([Samples.harbour])["files"].array[0]["complete"].bool == true)
  }

  // MARK: Processes

  @Test("A worker that dies costs its file alone; one that never starts ends the command")
  func dyingWorkers() throws {
    let scene = Scene()
    try scene.put("a.jpg", try Media.photo("a"))
    try scene.put("b.jpg", try Media.photo("b"))
    let program = try LyingWorker.program()
    let outcome = Outcome(
      try Tool.run(program, ["inspect", "--format", "json", "a.jpg", "b.jpg"], in: scene.path)
    )
    try outcome.expect(3)
    let reasons = try outcome.json()["files"].array.map { $0["problem"]["reason"].string }
    #expect(reasons == ["workerCrashed", "workerCrashed"])
    let endsAtOnce = try LyingWorker.program(start: "endsAtOnce")
    try Outcome(try Tool.run(endsAtOnce, ["inspect", "a.jpg", "b.jpg"], in: scene.path)).expect(69)
    let other = try LyingWorker.program(start: "otherBuild")
    let breach = Outcome(try Tool.run(other, ["inspect", "--format", "json", "a.jpg"], in: scene.path))
    try breach.expect(3)
    #expect(try breach.json()["files"].array[0]["problem"]["reason"].string == "workerProtocol")
  }

  @Test(
    "The process that a person starts never reads a file, and opens nothing once it is confined",
    .enabled(if: Has.strace, "no strace")
  )
  func coordinatorReadsNothing() throws {
    let scene = Scene()
    for name in ["one.jpg", "two.jpg"] { try scene.put(name, try Media.photo(name)) }
    let result = try Tool.run(
      "strace",
      ["-f", "-y", "-qq", "-o", "trace", try Scene.executable(), "inspect", "one.jpg", "two.jpg"],
      environment: Scene.environment(in: scene.path),
      in: scene.path
    )
    #expect(result.status == 0, "\(result.error)")
    let lines = String(decoding: try readBytes(scene.at("trace")), as: UTF8.self)
      .split(separator: "\n")
    let coordinator = try #require(lines.first?.prefix { $0 != " " })
    var own: Set<Substring> = []
    var others: Set<Substring> = []
    var isConfined = false
    for line in lines {
      let call = line.drop { $0 != " " }.drop { $0 == " " }
      let name = call.prefix { $0 != "(" }
      let isOwn = line.hasPrefix(coordinator + " ")
      if line.contains("one.jpg") || line.contains("two.jpg") {
        if isOwn { own.insert(name) } else { others.insert(name) }
      }
      if isOwn {
        if name == "landlock_restrict_self" { isConfined = true }
        if isConfined {
          #expect(!["open", "openat", "openat2", "creat"].contains(name), "\(line)")
        }
      }
    }
    #expect(isConfined)
    // Opened as places, then to be read, asked for size and times, sent, closed.
    let allowed: Set<Substring> = [
      "execve", "open", "openat", "statx", "newfstatat", "fstat", "sendmsg", "close", "write",
    ]
    #expect(own.isSubset(of: allowed), "\(own)")
    #expect(own.contains("sendmsg"))
    // The worker does, so that the trace would have shown it.
    #expect(others.contains("pread64"), "\(others)")
  }
}
