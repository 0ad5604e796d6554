import Foundation
import Glibc
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

extension Scene {
  /// A scene of about sixty small files of all kinds: photos to strip, live photos to keep,
  /// duplicates, a skipped video, damaged and unknown files, a FIFO, and a microphone that is denied.
  static func mixed() throws -> Scene {
    let scene = Scene(policy: nil)
    scene.setThumbnails([
      ("grid", 64, 64, "aspectFill"), ("preview", 200, 200, "aspectFit"),
    ])
    try scene.declare("camera")
    try scene.declare("library", "authorized", ["metadata": ["policy": "keep"]])
    try scene.declare("microphone", "denied")
    for number in 1...30 {
      try scene.put("sources/camera/\(number % 3)/IMG_\(number).JPG", try Media.photo("\(number)"))
    }
    for number in 1...3 {
      try scene.put("sources/camera/copies/again \(number).jpg", try Media.photo("\(number)"))
    }
    try scene.put("sources/camera/a.png", copyOf: Samples.png)
    try scene.put("sources/camera/b.mp4", copyOf: Samples.video)
    let whole = try Media.photo("cut")
    try scene.put("sources/camera/cut short.jpg", Array(whole.prefix(900)))
    try scene.put("sources/camera/empty.jpg", "")
    try scene.put("sources/camera/notes.txt", "These are notes.")
    mkfifo(scene.at("sources/camera/fifo"), 0o600)
    for number in 1...8 {
      let (still, movie) = try Media.livePhoto("pair \(number)")
      try scene.put("sources/library/IMG_\(number).JPG", still)
      try scene.put("sources/library/IMG_\(number).MOV", movie)
    }
    for number in 31...36 {
      try scene.put("sources/library/more/IMG_\(number).JPG", try Media.photo("\(number)"))
    }
    try scene.put("sources/library/more/again.jpg", try Media.photo("31"))
    try scene.put("sources/library/more/bad.png", Array(try readBytes(Samples.png).prefix(400)))
    try scene.put("sources/library/more/sound.wav", copyOf: Samples.sound)
    try scene.put("sources/microphone/secret.wav", copyOf: Samples.sound)
    return scene
  }

  /// Chooses the library that the next runs write; its path.
  func choose(library name: String) throws -> String {
    manifest["output"] = ["path": .string(name)]
    try writeManifest()
    return at(name)
  }

  /// Starts a run that goes on beside the test.
  func start(
    _ arguments: String...,
    output: RunningProgram.Output = .captured
  ) throws -> RunningProgram {
    try RunningProgram(
      nil,
      ["run", "manifest.json", "--format", "json"] + arguments,
      in: path,
      output: output
    )
  }
}
