import Foundation
import Glibc
import MediaSyntax
import MediaTestSupport
import Testing

@Suite(
  "A person sees and selects pictures in the zip files of a Takeout",
  .enabled(if: Has.sqlite && Has.python, "no sqlite3 or python3")
)
struct AskingTakeoutTests {
  private static let trip = "Takeout/Google Photos/Trip/"
  private static let year = "Takeout/Google Photos/Photos from 2018/"

  /// The folder of `Scene.asking` and two parts of an export: `one.jpg` with its JSON file and `two.jpg` in the first,
  /// the JSON file of `two.jpg` and that of the album in the second.
  private func scene(_ ending: String = "zip") throws -> Scene {
    let scene = try Scene.asking(["kind": "takeout"])
    let pictures = [1, 3].map { Samples.photo($0) }
    try pack(
      scene,
      """
      import json
      class TGZ:
          def __init__(self, path, *_): self.tar = tarfile.open(path, "w:gz")
          def __enter__(self): return self
          def __exit__(self, *_): self.tar.close()
          def write(self, path, name): self.tar.add(path, name)
          def writestr(self, name, text):
              info = tarfile.TarInfo(name)
              info.size = len(text)
              self.tar.addfile(info, io.BytesIO(text.encode()))
      part = TGZ if "\(ending)" == "tgz" else zipfile.ZipFile
      def described(name, time): return json.dumps({"title": name, "photoTakenTime": {"timestamp": str(time)}})
      with part(root + "/takeout-001.\(ending)", "w", zipfile.ZIP_DEFLATED) as z:
          z.write("\(pictures[0])", "\(Self.trip)one.jpg")
          z.writestr("\(Self.trip)one.jpg.json", described("one.jpg", 1530000000))
          z.write("\(pictures[1])", "\(Self.year)two.jpg")
      with part(root + "/takeout-002.\(ending)", "w") as z:
          z.writestr("\(Self.year)two.jpg.supplemental-metadata.json", described("two.jpg", 1262304000))
          z.writestr("\(Self.trip)metadata.json", json.dumps({"title": "To Brest", "date": {"timestamp": "1"}}))
      """
    )
    return scene
  }

  /// Makes zip files by Python's zipfile; `root` is the source's folder.
  private func pack(_ scene: Scene, _ script: String) throws {
    let whole = "import io, sys, struct, tarfile, zipfile\nroot = sys.argv[1]\n" + script
    let result = try Tool.run("python3", ["-c", whole, scene.at("sources/library")])
    try #require(result.status == 0, "\(result.error)")
  }

  @Test(
    "A picture in an archive is shown and imported, and its JSON file comes along",
    arguments: ["zip", "tgz"]
  )
  func selects(ending: String) throws {
    let scene = try scene(ending)
    let program = try scene.askedRun()
    var visitor = try PageVisitor(of: program)
    try visitor.enter()
    let names = try #require(visitor.ask("GET", "/names?from=0"))
    #expect(names.body.contains("data-total=\"5\"") && !names.body.contains("data-unlisted"))
    #expect(names.body.contains("one.jpg") && !names.body.contains(".json"))
    // The times of the JSON files, also of one in another zip file.
    #expect(names.body.contains("\"2018-06\"") && names.body.contains("\"2010-01\""))
    // In the order of the names: a, b-canary/b, c, Photos from 2018/two, Trip/one.
    let pictures = (0..<5).map { visitor.bytes(of: "/picture?name=\($0)") ?? [] }
    #expect(pictures.allSatisfy { $0.starts(with: [0xFF, 0xD8, 0xFF]) })
    #expect(pictures[4] == pictures[0] && pictures[3] == pictures[2] && pictures[3] != pictures[4])
    #expect(visitor.ask("POST", "/answer", body: "select 4")?.status == 200)
    try program.outcome().expect(0)
    let path = "takeout-001.\(ending)/\(Self.trip)one.jpg"
    #expect(try scene.importedPaths() == [path])
    let opened = try scene.openedPaths()
    #expect(opened.first == "takeout-001.\(ending)")
    #expect(opened.sorted() == ["takeout-001.\(ending)", path, path + ".json"])
    let log = try scene.logFiles().flatMap(\.lines).joined()
    #expect(!log.contains("two.jpg") && !log.contains("takeout-002") && !log.contains("To Brest"))
    #expect(log.contains("\"shown\""))
    try scene.expectVerified()
    try scene.run().expect(0)
    #expect(try scene.importedPaths() == [path])
  }

  @Test(
    "Of an export of iCloud Photos nothing hidden or deleted is shown, and the times are those of its CSV files"
  )
  func iCloudExport() throws {
    let scene = try Scene.asking(["kind": "iCloudExport", "fetch": ["includeHiddenAssets": false]])
    try pack(
      scene,
      """
      part = "iCloud Photos Part 1 of 1"
      with zipfile.ZipFile(root + "/" + part + ".zip", "w", zipfile.ZIP_DEFLATED) as z:
          for name in ["one", "secret", "gone"]: z.write("\(Samples.photo(1))", part + "/Photos/" + name + ".jpg")
          z.write("\(Samples.photo(2))", part + "/Recently Deleted/old.jpg")
          z.writestr(part + "/Photos/Photo Details.csv",
              "imgName,favorite,hidden,deleted,originalCreationDate\\n"
              + 'one.jpg,no,no,no,"Tuesday June 26,2018 8:00 AM GMT"\\nsecret.jpg,no,yes,no,\\ngone.jpg,no,no,yes,\\n')
      """
    )
    let program = try scene.askedRun()
    var visitor = try PageVisitor(of: program)
    try visitor.enter()
    let names = try #require(visitor.ask("GET", "/names?from=0"))
    #expect(names.body.contains("data-total=\"4\"") && names.body.contains("one.jpg"))
    #expect(names.body.contains("\"2018-06\""))
    for name in ["secret.jpg", "gone.jpg", "old.jpg", ".csv"] {
      #expect(!names.body.contains(name), "\(name)")
    }
    #expect(visitor.ask("POST", "/answer", body: "deny")?.status == 200)
    _ = try program.outcome()
  }

  @Test("What a manifest lets a person pick may lie in a zip file")
  func picks() throws {
    let scene = try Scene.asking(["kind": "takeout", "pick": ["limit": 1]])
    try pack(
      scene,
      """
      with zipfile.ZipFile(root + "/all.zip", "w") as z: z.write("\(Samples.photo(4))", "d.jpg")
      """
    )
    let program = try scene.askedRun()
    var visitor = try PageVisitor(of: program)
    try visitor.enter()
    // all.zip/d.jpg comes behind a.jpg.
    let names = try #require(visitor.ask("GET", "/names?from=0"))
    #expect(names.body.contains("data-total=\"4\""))
    #expect(visitor.ask("POST", "/answer", body: "select 1")?.status == 200)
    try program.outcome().expect(0)
    #expect(try scene.importedPaths() == ["all.zip/d.jpg"])
  }

  @Test(
    "Only the viewer opens a zip file, and not before the names are asked for",
    .enabled(if: Has.strace, "no strace")
  )
  func traced() throws {
    let scene = try scene()
    let trace = try scene.traced(["run", "manifest.json", "--format", "json", "--web"])
    var visitor = try PageVisitor(of: trace.program)
    try visitor.enter()
    _ = visitor.ask("GET", "/question")
    #expect(try trace.opened("takeout-001.zip").isEmpty)
    _ = visitor.ask("GET", "/names?from=0")
    #expect(try !trace.opened("takeout-001.zip").isEmpty)
    for name in ["3", "4", "4"] { #expect(visitor.picture(name)?.status == 200) }
    #expect(visitor.ask("POST", "/answer", body: "deny")?.status == 200)
    _ = try trace.program.outcome()
    let lines = try trace.lines()
    let start = try #require(lines.first { $0.contains("execve(") && $0.contains("\"viewer\"") })
    let viewer = try #require(start.split(separator: " ").first)
    for name in ["takeout-001.zip", "takeout-002.zip"] {
      let opened = try trace.opened(name)
      #expect(opened.allSatisfy { $0.hasPrefix("\(viewer) ") }, "\(opened)")
    }
    // The process that asks gets no name.
    let asking = try #require(lines.first?.split(separator: " ").first)
    #expect(lines.contains { $0.hasPrefix("\(viewer) ") && $0.contains("two.jpg") })
    #expect(!lines.contains { $0.hasPrefix("\(asking) ") && $0.contains("two.jpg") })
  }

  @Test(
    "Of a source that is denied no zip file is opened",
    .enabled(if: Has.strace, "no strace")
  )
  func denied() throws {
    let scene = try scene()
    try scene.writeManifest()
    try scene.access("deny", "manifest.json", "library").expect(0)
    let trace = try scene.traced(["access", "ask", "manifest.json", "library", "--web"])
    var visitor = try PageVisitor(of: trace.program)
    try visitor.enter()
    let names = try #require(visitor.ask("GET", "/names?from=0"))
    #expect(names.body.contains("a.jpg") && names.body.contains("data-total=\"3\""))
    #expect(visitor.ask("POST", "/answer", body: "select 0")?.status == 200)
    try trace.program.outcome().expect(0)
    for name in ["takeout-001.zip", "takeout-002.zip"] {
      #expect(try trace.opened(name).isEmpty, "\(name)")
    }
  }

  @Test("Each of many pictures is that of its own file, whatever memory it was copied to")
  func many() throws {
    let scene = try Scene.asking(["kind": "takeout"])
    let numbers = Array(1...8)
    for number in numbers {
      try scene.put("sources/library/z/\(number).jpg", copyOf: Samples.photo(number))
    }
    try pack(
      scene,
      """
      with zipfile.ZipFile(root + "/y.zip", "w", zipfile.ZIP_DEFLATED) as z:
          for n in range(1, 9):
              z.write(root + f"/z/{n}.jpg", f"y/{n}.jpg")
              z.writestr(f"y/{n}a.jpg", bytes(n * 1000000))
      """
    )
    let program = try scene.askedRun()
    var visitor = try PageVisitor(of: program)
    try visitor.enter()
    let names = try #require(visitor.ask("GET", "/names?from=0"))
    #expect(names.body.contains("data-total=\"27\""))
    // Behind a, b and c: y/1, y/1a, y/2, …; then z/1, z/2, ….
    for number in numbers {
      let packed = visitor.bytes(of: "/picture?name=\(1 + 2 * number)")
      #expect(visitor.picture("\(2 + 2 * number)")?.status == 204)
      #expect(packed?.isEmpty == false)
      #expect(packed == visitor.bytes(of: "/picture?name=\(18 + number)"), "\(number)")
    }
    #expect(visitor.ask("POST", "/answer", body: "later")?.status == 200)
    _ = try program.outcome()
  }

  @Test("A zip file that lies, explodes, leads out of itself or is exchanged costs its pictures")
  func hostile() throws {
    let scene = try Scene.asking(["kind": "takeout"])
    try pack(
      scene,
      """
      with zipfile.ZipFile(root + "/e.zip", "w", zipfile.ZIP_DEFLATED) as z:
          for name in ["../out.jpg", "/etc/out.jpg", "a//b.jpg", "x/" * 3000 + "long.jpg"]:
              z.writestr(zipfile.ZipInfo(name), b"x")
          z.writestr("big.jpg", bytes(70000000))
          z.write(root + "/a.jpg", "good.jpg")
          z.writestr("zeros.jpg", bytes(50000000))
      # Says that it has ten bytes, and has more.
      with zipfile.ZipFile(root + "/f.zip", "w", zipfile.ZIP_DEFLATED) as z:
          z.writestr("short.jpg", bytes(900000))
          z.writestr("short.jpg.json", "[" * 60000)
      f = bytearray(open(root + "/f.zip", "rb").read())
      place = f.find(b"PK\\x01\\x02")
      f[place + 24:place + 28] = struct.pack("<I", 10)
      open(root + "/f.zip", "wb").write(f)
      # Two entries that share their data, a file that is no archive, and one that is exchanged.
      with zipfile.ZipFile(root + "/g.zip", "w") as z:
          z.writestr("one.jpg", bytes(5000))
          z.writestr("two.jpg", bytes(5000))
      g = bytearray(open(root + "/g.zip", "rb").read())
      second = g.rfind(b"PK\\x01\\x02")
      g[second + 42:second + 46] = bytes(4)
      open(root + "/g.zip", "wb").write(g)
      open(root + "/h.zip", "wb").write(b"no archive")
      with zipfile.ZipFile(root + "/i.zip", "w") as z: z.write(root + "/a.jpg", "was.jpg")
      """
    )
    let program = try scene.askedRun()
    var visitor = try PageVisitor(of: program)
    try visitor.enter()
    let names = try #require(visitor.ask("GET", "/names?from=0"))
    // a, b-canary/b, c, e.zip/big, e.zip/good, e.zip/zeros, f.zip/short, i.zip/was.
    #expect(names.body.contains("data-total=\"8\"") && !names.body.contains("out.jpg"))
    #expect(names.body.contains("data-unlisted=\"3\""))
    let library = scene.at("sources/library")
    #expect(rename(library + "/i.zip", library + "/j.zip") == 0)
    try FileManager.default.copyItem(atPath: library + "/j.zip", toPath: library + "/i.zip")
    let viewer = try #require(program.child(named: "viewer"))
    let statuses = (0..<8).map { visitor.picture("\($0)")?.status ?? 0 }
    #expect(statuses == [200, 200, 200, 204, 200, 204, 204, 204])
    #expect(RunningProgram.memory("VmHWM", of: viewer) < 160 << 20)
    // What has no picture can be selected all the same.
    #expect(visitor.ask("POST", "/answer", body: "select 3 4")?.status == 200)
    try program.outcome().expect(3)
    #expect(try scene.importedPaths() == ["e.zip/good.jpg"])
  }

  @Test("A zip file that is another source's too is not opened")
  func linked() throws {
    let scene = try scene()
    try scene.declare("camera", "denied")
    try scene.put("sources/camera/x.jpg", copyOf: Samples.photo(5))
    #expect(link(scene.at("sources/library/takeout-001.zip"), scene.at("sources/camera/second.zip")) == 0)
    let program = try scene.askedRun()
    var visitor = try PageVisitor(of: program)
    try visitor.enter()
    let names = try #require(visitor.ask("GET", "/names?from=0"))
    #expect(names.body.contains("data-total=\"3\"") && names.body.contains("data-unlisted=\"1\""))
    #expect(visitor.ask("POST", "/answer", body: "later")?.status == 200)
    _ = try program.outcome()
  }
}
