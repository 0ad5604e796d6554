import Foundation
import Glibc
import MediaTestSupport

/// A photo library of three items that are selected and a thousand that are not.
///
/// Every name that is not selected says `canary`, but for the movie beside a selected still: it has to
/// have the still's name.
struct HiddenItems {
  static let selected = ["a.jpg", "2026/IMG_7.JPG", "2026/b.jpg"]
  /// The other half of a live photo whose still is selected.
  static let hiddenHalf = "2026/IMG_7.MOV"
  static let count = 1_000

  let scene: Scene
  private var paths: [String] = [HiddenItems.hiddenHalf]

  /// Makes all of them in the scene's photo library.
  init(_ scene: Scene, count: Int = HiddenItems.count) throws {
    self.scene = scene
    let (still, movie) = try Media.livePhoto("pair")
    try put("2026/IMG_7.JPG", still)
    try put("a.jpg", try Media.photo("a"))
    try put("2026/b.jpg", try Media.photo("b"))
    try put(Self.hiddenHalf, movie)
    let same = try Media.photo("b")
    while paths.count < count { try hide(paths.count, same: same) }
  }

  private func put(_ name: String, _ bytes: [UInt8]) throws {
    try scene.put("sources/library/" + name, bytes)
  }

  /// Hides one more item, of another kind each time.
  private mutating func hide(_ number: Int, same: [UInt8]) throws {
    let folder = number % 3 == 0 ? "" : number % 3 == 1 ? "2026/" : "canary folder \(number % 7)/"
    var name = "\(folder)canary-\(number).jpg"
    let path = scene.at("sources/library/" + name)
    switch number % 20 {
    case 0...6: try put(name, try Media.photo("canary \(number)"))
    // The bytes of a selected item under another name.
    case 7...9: try put(name, same)
    case 10: try put(name, Array(same.prefix(700)))
    case 11: try put(name, "canary, and no picture")
    case 12: try put(name, [])
    case 13...15:
      try makeFolder(of: path)
      let target = number % 3 == 0 ? "a.jpg" : number % 3 == 1 ? "b.jpg" : "/canary/nowhere"
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
    case 16:
      try makeFolder(of: path)
      mkfifo(path, 0o600)
    case 17...18:
      // Two names of one file, neither selected.
      try put(name, try Media.photo("canary linked \(number)"))
      paths.append(name)
      name += ".2.jpg"
      try FileManager.default.linkItem(atPath: path, toPath: path + ".2.jpg")
    default:
      // A live photo of which nothing is selected; beside it a name that is not UTF-8.
      let (still, movie) = try Media.livePhoto("canary \(number)")
      try put(name, still)
      paths.append(name)
      name = String(name.dropLast(3)) + "MOV"
      try put(name, movie)
      try Media.write(
        still,
        folder: scene.at("sources/library"),
        name: Array("canary-\(number)-".utf8) + [0xFF] + Array(".jpg".utf8)
      )
    }
    paths.append(name)
  }

  private func put(_ name: String, _ text: String) throws { try put(name, Array(text.utf8)) }

  private func makeFolder(of path: String) throws {
    try FileManager.default.createDirectory(
      atPath: (path as NSString).deletingLastPathComponent,
      withIntermediateDirectories: true
    )
  }

  /// Takes away everything that is not selected; what is selected stays the same files.
  func remove() throws {
    let kept = Self.selected.flatMap { ["!", "-path", "*/sources/library/" + $0] }
    let folder = scene.at("sources/library")
    let files = try Tool.run("find", [folder, "!", "-type", "d"] + kept + ["-delete"])
    let folders = try Tool.run("find", [folder, "-type", "d", "-empty", "-delete"])
    guard files.status == 0, folders.status == 0 else { throw CocoaError(.fileWriteUnknown) }
  }

  /// Every name in the photo library.
  func names() throws -> [Substring] {
    try Tool.run("find", [scene.at("sources/library"), "!", "-type", "d", "-printf", "%P\\n"])
      .output.split(separator: "\n")
  }
}
