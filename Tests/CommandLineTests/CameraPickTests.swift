import Foundation
import MediaSyntax
import MediaTestSupport
import Testing

@Suite(
  "A camera's files are picked on a page",
  .enabled(if: Has.python && Has.sqlite, "no python3 or sqlite3"),
  .timeLimit(.minutes(3))
)
struct CameraPickTests {
  private let folder = "store_00010001/DCIM/100CANON/"

  /// A manifest whose photo library is a camera of four photos, the first of them the newest.
  private func makeScene(_ extra: [String: JSONValue] = [:]) throws -> Scene {
    let scene = Scene(policy: "keep")
    scene.manifest["onNotDetermined"] = "ask"
    let options: [String: JSONValue] = ["path": "usb:", "kind": "ptp"]
    try scene.declare("library", nil, options.merging(extra) { $1 }, makesFolder: false)
    for number in 1...4 {
      let path = "tree/1/DCIM/100CANON/IMG_000\(number).JPG"
      try scene.put(path, try Media.photo("photo \(number)"))
      // 30 August 2025, and a month earlier each.
      let date = Date(timeIntervalSince1970: 1_756_555_200 - 2_592_000 * Double(number - 1))
      try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: scene.at(path))
    }
    return scene
  }

  private func asked(
    _ scene: Scene,
    _ camera: PTPResponder,
    _ arguments: [String] = ["run", "manifest.json", "--format", "json", "--web"]
  ) throws -> RunningProgram {
    try scene.writeManifest()
    return try RunningProgram(
      Scene.executable(),
      arguments,
      environment: Scene.environment(in: scene.path).merging(camera.environment) { $1 },
      in: scene.path
    )
  }

  /// How many files were fetched.
  private func fetched(_ camera: PTPResponder) -> Int {
    camera.operations.count { $0.hasPrefix("1009 ") }
  }

  @Test("It is asked nothing before the list; a picture fetches its file, then the selection comes")
  func selects() throws {
    let scene = try makeScene()
    let camera = try PTPResponder(scene.at("tree"))
    let program = try asked(scene, camera)
    var visitor = try PageVisitor(of: program)
    try visitor.enter()
    let question = try #require(visitor.ask("GET", "/question"))
    #expect(question.body.contains("data-choice=\"select\""), "\(question.body)")
    #expect(camera.operations.isEmpty, "\(camera.operations)")
    let names = try #require(visitor.ask("GET", "/names?from=0"))
    #expect(names.body.contains("data-total=\"4\""), "\(names)")
    let months = names.body.components(separatedBy: "<li data-month=\"").dropFirst()
      .map { $0.prefix { $0 != "\"" } }
    #expect(months == ["2025-08", "2025-07", "2025-07", "2025-06"], "\(names)")
    // The list tells the times: no file is fetched for its date.
    #expect(fetched(camera) == 0)
    let picture = try #require(visitor.picture("2"))
    #expect(picture.status == 200 && picture.head.contains("content-type: image/jpeg"))
    #expect(visitor.picture("2")?.status == 200 && visitor.picture("0")?.status == 200)
    #expect(fetched(camera) == 2)
    #expect(visitor.ask("POST", "/answer", body: "select 1 2")?.status == 200)
    try program.outcome().expect(0)
    #expect(try scene.importedPaths() == [folder + "IMG_0002.JPG", folder + "IMG_0003.JPG"])
    #expect(fetched(camera) == 4)
    #expect(try scene.stored("SELECT status, shownCount FROM answers") == ["limited|4"])
    let reading: Set<String> = [
      "1001", "1002", "1003", "1004", "1005", "1006", "1007", "1008", "1009", "101b",
    ]
    #expect(camera.codes.isSubset(of: reading), "\(camera.codes)")
    let log = try scene.logFiles().flatMap(\.lines).joined()
    #expect(!log.contains("IMG_0001") && !log.contains("IMG_0004"))
    try scene.expectVerified()
  }

  @Test("A manifest may let a person pick from it, up to a limit")
  func picks() throws {
    let scene = try makeScene(["pick": ["limit": 1]])
    let camera = try PTPResponder(scene.at("tree"))
    let program = try asked(scene, camera)
    var visitor = try PageVisitor(of: program)
    try visitor.enter()
    _ = visitor.ask("GET", "/names?from=0")
    #expect(visitor.ask("POST", "/answer", body: "select 0 1")?.status == 400)
    #expect(visitor.ask("POST", "/answer", body: "select 3")?.status == 200)
    try program.outcome().expect(0)
    #expect(try scene.importedPaths() == [folder + "IMG_0004.JPG"])
  }

  @Test("Of a camera that was denied names are shown, and no file is fetched")
  func denied() throws {
    let scene = try makeScene()
    let camera = try PTPResponder(scene.at("tree"))
    try scene.writeManifest()
    try scene.access("deny", "manifest.json", "library").expect(0)
    let arguments = ["access", "ask", "manifest.json", "library", "--web"]
    let program = try asked(scene, camera, arguments)
    var visitor = try PageVisitor(of: program)
    try visitor.enter()
    let names = try #require(visitor.ask("GET", "/names?from=0"))
    #expect(names.body.contains("IMG_0004.JPG") && !names.body.contains("data-picture"))
    #expect(visitor.picture("0")?.status == 404)
    #expect(visitor.ask("POST", "/answer", body: "select 0")?.status == 200)
    try program.outcome().expect(0)
    #expect(fetched(camera) == 0)
  }

  @Test("A camera that is unplugged has no further picture, and its names stay")
  func unplugged() throws {
    let scene = try makeScene()
    let camera = try PTPResponder(scene.at("tree"), ["--unplug", "IMG_0002.JPG:4000"])
    let program = try asked(scene, camera)
    var visitor = try PageVisitor(of: program)
    try visitor.enter()
    _ = visitor.ask("GET", "/names?from=0")
    #expect(visitor.picture("0")?.status == 200)
    #expect(visitor.picture("1")?.status == 204 && visitor.picture("2")?.status == 204)
    #expect(visitor.ask("GET", "/names?from=0")?.status == 200)
    #expect(visitor.ask("POST", "/answer", body: "later")?.status == 200)
    try program.outcome().expect(75)

    let other = try makeScene()
    let gone = try PTPResponder(other.at("tree"))
    let asking = try asked(other, gone)
    visitor = try PageVisitor(of: asking)
    try visitor.enter()
    gone.stop()
    let names = try #require(visitor.ask("GET", "/names?from=0"))
    #expect(names.status == 503 && names.body.contains("The camera cannot be listed"), "\(names)")
    #expect(visitor.ask("POST", "/answer", body: "later")?.status == 200)
    try asking.outcome().expect(75)
  }

  @Test("At a terminal its files are selected by their names, and none is fetched for the list")
  func terminal() throws {
    for extra in [[:], ["pick": [:]]] as [[String: JSONValue]] {
      let scene = try makeScene(extra)
      let camera = try PTPResponder(scene.at("tree"))
      try scene.writeManifest()
      let terminal = try PseudoTerminal(
        Scene.executable(),
        ["run", "manifest.json", "--format", "json"],
        environment: Scene.environment(in: scene.path).merging(camera.environment) { $1 },
        in: scene.path
      )
      if extra.isEmpty { terminal.answer("s", at: "not now): ") }
      // The newest is the first.
      terminal.answer("1", at: pickPlace)
      #expect(fetched(camera) == 0)
      terminal.answer("done", at: pickPlace)
      try terminal.outcome().expect(0)
      #expect(try scene.importedPaths() == [folder + "IMG_0001.JPG"])
      #expect(fetched(camera) == 1)
    }
  }
}
