import Foundation
import MediaTestSupport
import Testing

/// Sets the clock of the day of the program alone.
@Suite("The clock", .enabled(if: Tool.exists("faketime") && Has.sqlite, "no faketime or sqlite3"))
struct ClockTests {
  private func scene() throws -> Scene {
    let scene = Scene(policy: "keep")
    try scene.declare("camera")
    try scene.putPhotos(1...2)
    try scene.writeManifest()
    return scene
  }

  private func command(
    _ arguments: [String],
    of scene: Scene,
    at clock: String
  ) throws -> Outcome {
    let environment = Scene.environment(in: scene.path)
      .merging(["NO_FAKE_STAT": "1", "DONT_FAKE_MONOTONIC": "1"]) { $1 }
    return Outcome(
      try Tool.run(
        "faketime",
        ["-f", clock, try Scene.executable()] + arguments,
        environment: environment,
        in: scene.path
      )
    )
  }

  @Test(
    "In a year of which no times are written no command does anything, and each says the year",
    arguments: ["9999-12-31 23:59:59", "+8000y"]
  )
  func isRefused(clock: String) throws {
    let scene = try scene()
    let before = try scene.snapshot()
    let commands = [
      ["run", "manifest.json"], ["watch", "manifest.json"], ["rebuild", "Library"],
      ["repair", "Library"], ["export", "Library", "Copies"],
      ["access", "deny", "manifest.json", "camera"],
      ["shards", "plan", "manifest.json", "--output", "Plan", "--shards", "2"],
    ]
    for words in commands {
      let outcome = try command(words, of: scene, at: clock)
      try outcome.expect(74)
      #expect(outcome.error.contains("The clock says "), "\(outcome.streams)")
    }
    #expect(try scene.snapshot() == before)
  }

  @Test(
    "A library that was written by a wrong clock is written by a right one",
    arguments: ["2300-01-01 00:00:00", "9998-12-31 23:59:50", "1970-01-02 00:00:00"]
  )
  func isOver(clock: String) throws {
    let scene = try scene()
    try command(["run", "manifest.json"], of: scene, at: clock).expect(0)
    try scene.expectVerified()
    try scene.putPhotos(3...3)
    try scene.run().expectCounts(["imported": 1, "unchanged": 2])
    try scene.expectVerified()
    try scene.rebuild().expect(0)
    try scene.run().expectCounts(["unchanged": 3])
  }

  @Test("A time of the catalogue that cannot be is no reason to end by a signal")
  func isStored() throws {
    let scene = try scene()
    try scene.run().expect(0)
    for time in ["9999-12-31T23:59:59.999999Z", "2300-01-01T00:00:00.000000Z", "10000-01-01"] {
      _ = try scene.catalogue("UPDATE runs SET ended = '\(time)'")
      let run = try scene.run()
      #expect([0, 70].contains(run.code), "\(time): \(run.streams)")
    }
  }
}
