import Foundation
import MediaTestSupport
import Testing

/// What a probe printed that has read a camera.
private struct Probed {
  var lines: [String]
  var files: [String: Data]

  /// The lines that begin with a word, without it.
  func lines(_ word: String) -> [String] {
    lines.filter { $0.hasPrefix(word + " ") }.map { String($0.dropFirst(word.count + 1)) }
  }
}

@Suite(
  "Reading a camera",
  .enabled(if: Tool.exists("python3"), "no python3"),
  .timeLimit(.minutes(2))
)
struct CameraReaderTests {
  private let scratch = TemporaryFolder()

  /// Two stores, which have files of the same names.
  private func makeTree() throws -> String {
    let tree = scratch.path + "/tree"
    for (store, name, size) in [
      ("1", "IMG_0001.JPG", 200_000), ("1", "IMG_0002.JPG", 150_000), ("2", "IMG_0001.JPG", 70_000),
    ] {
      let folder = "\(tree)/\(store)/DCIM/100CANON"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let bytes = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ store.utf8.count) })
      try (Data((store + name).utf8) + bytes).write(to: URL(fileURLWithPath: folder + "/" + name))
    }
    return tree
  }

  private func content(_ path: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: scratch.path + "/tree/" + path))
  }

  private func probe(
    _ camera: PTPResponder,
    seconds: Int = 20,
    maximum: Int = 1 << 30,
    times: Int = 1
  ) throws -> Probed {
    let target = try makeTarget("out-" + UUID().uuidString)
    let result = try Tool.run(
      BuiltProgram.path("camera-probe"),
      ["read", target, "\(seconds)", "\(seconds)", "\(maximum)", "\(times)"],
      environment: camera.environment
    )
    return try probed(result, target)
  }

  private func makeTarget(_ name: String) throws -> String {
    let target = scratch.path + "/" + name
    try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
    return target
  }

  private func probed(_ result: Tool.Result, _ target: String) throws -> Probed {
    var files: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: target) {
      files[name] = try Data(contentsOf: URL(fileURLWithPath: target + "/" + name))
    }
    return Probed(lines: result.output.split(separator: "\n").map(String.init), files: files)
  }

  /// Operations that read: GetDeviceInfo, OpenSession, CloseSession, GetStorageIDs, GetStorageInfo,
  /// GetNumObjects, GetObjectHandles, GetObjectInfo, GetObject, GetThumb, GetDevicePropDesc,
  /// GetDevicePropValue, GetPartialObject.
  static let reading: Set<String> = [
    "1001", "1002", "1003", "1004", "1005", "1006", "1007", "1008", "1009", "100a", "1014", "1015",
    "101b",
  ]

  @Test("Files of two stores are listed and copied byte for byte", arguments: [[], ["--whole"]])
  func copies(options: [String]) throws {
    let camera = try PTPResponder(try makeTree(), options)
    let probed = try probe(camera, times: 3)
    #expect(probed.lines("listed") == ["3 0"])
    let objects = probed.lines("object").map { $0.split(separator: " ").map(String.init) }
    #expect(
      objects.map { $0[3] } == [
        "store_00010001/DCIM/100CANON/IMG_0001.JPG", "store_00010001/DCIM/100CANON/IMG_0002.JPG",
        "store_00020001/DCIM/100CANON/IMG_0001.JPG",
      ]
    )
    let paths = ["1/DCIM/100CANON/IMG_0001.JPG", "1/DCIM/100CANON/IMG_0002.JPG"]
    for (number, path) in (paths + ["2/DCIM/100CANON/IMG_0001.JPG"]).enumerated() {
      let expected = try content(path)
      #expect(objects[number][1] == "\(expected.count)")
      for time in 0..<3 { #expect(probed.files["\(number).\(time)"] == expected) }
      // The clock of a camera counts as UTC.
      let attributes = try FileManager.default.attributesOfItem(atPath: scratch.path + "/tree/" + path)
      let date = try #require(attributes[.modificationDate] as? Date)
      #expect(objects[number][2] == "\(Int(date.timeIntervalSince1970))000000000")
    }
    #expect(probed.lines("copied").count == 9)
    #expect(camera.codes.isSubset(of: Self.reading), "\(camera.codes)")
    // The session was ended.
    #expect(camera.operations.last == "1003")
  }

  @Test(
    "A camera that is unplugged in the middle of a file ends reading",
    arguments: [[], ["--whole"]]
  )
  func unplugged(options: [String]) throws {
    let camera = try PTPResponder(try makeTree(), options + ["--unplug", "IMG_0002.JPG:90000"])
    let probed = try probe(camera)
    #expect(probed.lines("copied") == ["0 200013"])
    #expect(probed.lines("failed").map { $0.prefix(12) } == ["1 unplugged:", "2 unplugged:"])
    #expect(camera.codes.isSubset(of: Self.reading), "\(camera.codes)")
  }

  @Test("A camera that sends nothing more is given up, whether it lists or sends a file")
  func stalls() throws {
    let tree = try makeTree()
    let began = Date()
    // The camera that stalls while it lists is given up beside the other one.
    let camera = try PTPResponder(tree, ["--stall-list"])
    let target = try makeTarget("listing")
    let program = try RunningProgram(
      BuiltProgram.path("camera-probe"),
      ["read", target, "2", "2"],
      environment: camera.environment
    )
    let stalled = ["--stall", "IMG_0002.JPG:90000"]
    var copying = try probe(try PTPResponder(tree, stalled), seconds: 2)
    // One that stood still for two seconds by itself was given up before.
    for _ in 0..<3 where copying.lines("copied").isEmpty {
      copying = try probe(try PTPResponder(tree, stalled), seconds: 2)
    }
    #expect(copying.lines("copied") == ["0 200013"])
    #expect(copying.lines("failed").map { $0.prefix(10) } == ["1 timeout:", "2 timeout:"])
    let ended = program.end(seconds: 240)
    camera.stop()
    let listing = try probed(try #require(ended), target)
    #expect(listing.lines("ended").first?.hasPrefix("timeout:") == true, "\(listing.lines)")
    #expect(Date().timeIntervalSince(began) < 40)
  }

  @Test(
    "Another size than the listed one fails that file, and no other",
    arguments: [
      ["--size", "IMG_0002.JPG:100"], ["--size", "IMG_0002.JPG:-100"],
      ["--longer", "IMG_0002.JPG:300000"],
    ]
  )
  func sizes(options: [String]) throws {
    let probed = try probe(try PTPResponder(try makeTree(), options))
    #expect(probed.lines("copied").map { $0.prefix(1) } == ["0", "2"])
    #expect(probed.lines("failed").map { $0.prefix(14) } == ["1 sizeDiffers:"])
    #expect((probed.files["1.0"]?.count ?? 0) <= 150_113)
  }

  @Test("A file that has gone, and one over the limit, fail alone")
  func goneAndLarge() throws {
    let gone = try probe(try PTPResponder(try makeTree(), ["--gone", "IMG_0002.JPG"]))
    #expect(gone.lines("copied").count == 2)
    #expect(gone.lines("failed").map { $0.prefix(9) } == ["1 failed:"])
    let limited = try probe(try PTPResponder(scratch.path + "/tree"), maximum: 150_013)
    #expect(limited.lines("failed").map { $0.prefix(11) } == ["0 tooLarge:"])
    #expect(limited.lines("copied").count == 2)
    #expect(limited.files["0.0"]?.isEmpty == true)
  }

  @Test("Names that are no names are left out and counted; all others are bytes")
  func names() throws {
    let names = ["a/b.JPG", "..", ".", "", "\\xe4.JPG", "x\\x01y.JPG", "a\\nb.JPG"]
    let camera = try PTPResponder(try makeTree(), names.flatMap { ["--name", $0] })
    let probed = try probe(camera)
    let paths = probed.lines("object").compactMap { $0.split(separator: " ").last.map(String.init) }
      .filter { !$0.contains("DCIM") }
    #expect(
      paths == [
        // libgphoto2 gives this name to a file that has none.
        "store_00010001/<none>", "store_00010001/a%0Ab.JPG", "store_00010001/x%01y.JPG",
        "store_00010001/ä.JPG",
      ]
    )
    #expect(probed.lines("listed").first?.hasSuffix(" 0") == false)
    #expect(probed.lines("copied").count == 6, "\(probed.lines)")
  }

  @Test("Thousands of files are listed and fetched")
  func many() throws {
    // The process of a camera lists 256 files at a time.
    let count = Amount.of(600, all: 5_000)
    let camera = try PTPResponder(try makeTree(), ["--count", "\(count)"])
    let probed = try probe(camera)
    #expect(probed.lines("listed") == ["\(count + 3) 0"])
    #expect(probed.lines("copied").count == count + 3)
    #expect(camera.codes.isSubset(of: Self.reading), "\(camera.codes)")
  }

  @Test("Without a camera, and where nothing listens, none is connected")
  func none() throws {
    let camera = try PTPResponder(try makeTree())
    camera.stop()
    #expect(try probe(camera).lines("ended").first?.hasPrefix("notConnected:") == true)
  }
}
