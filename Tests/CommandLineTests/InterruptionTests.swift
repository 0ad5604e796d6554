import Foundation
import Glibc
import MediaTestSupport
import Testing

@Suite("A run that is interrupted")
struct InterruptionTests {
  private func scene() throws -> Scene {
    let scene = Scene(policy: "keep")
    try scene.declare("library")
    scene.setThumbnails([("grid", 64, 64, "aspectFill"), ("preview", 200, 200, "aspectFit")])
    try scene.putMixture()
    return scene
  }

  @Test("Killed at random instants, also while it recovers, it ends as if nothing had been")
  func killed() throws {
    let reference = try scene()
    let began = Date()
    #expect(try reference.run().code == 3)
    let duration = Date().timeIntervalSince(began)
    let expected = try reference.essence()
    #expect(expected.count > 80)

    var interrupted = 0
    for round in 0..<(isThorough ? 50 : 12) {
      let scene = try scene()
      for _ in 0...(round % 3) {
        let run = try BackgroundRun(scene)
        usleep(UInt32.random(in: 0...UInt32(duration * 1_100_000)))
        if run.isRunning { interrupted += 1 }
        run.send(SIGKILL)
        run.wait()
      }
      let last = try scene.run()
      #expect(last.code == 3, "\(last.said)")
      #expect(try scene.essence() == expected)
      #expect(try scene.itemsWithoutOutcome() == [])
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: scene.library + "/.staging") == []
      )
      try scene.expectVerified()
    }
    #expect(interrupted > 0, "no run was still going when it was killed")
  }

  @Test(
    "Asked to stop it publishes what is in hand, says so, and goes on from there",
    arguments: zip([SIGINT, SIGTERM, SIGHUP], [Int32(130), 143, 143])
  )
  func stopped(signal: Int32, code: Int32) throws {
    let scene = try scene()
    for number in 0..<300 {
      try scene.put(
        "sources/library/many/\(number).jpg",
        try readBytes(Samples.photo(1)) + Array("\(number)".utf8)
      )
    }
    let run = try BackgroundRun(scene)
    while run.isRunning, run.workers.isEmpty { usleep(1000) }
    run.send(signal)
    #expect(run.wait() == code)
    try scene.expectVerified()
    let published = try scene.originals().count
    #expect(published < 335)
    #expect(try scene.run().code == 3)
    #expect(try scene.originals().count == 335)
    try scene.expectVerified()
  }

  @Test("A worker that is killed costs nobody anything: its item is done once more")
  func workerKilled() throws {
    let reference = try scene()
    #expect(try reference.run().code == 3)
    let expected = try reference.essence()
    var killed = 0
    for _ in 0..<(isThorough ? 20 : 5) {
      let scene = try scene()
      let run = try BackgroundRun(scene)
      while run.isRunning, run.workers.isEmpty { usleep(200) }
      usleep(UInt32.random(in: 0...60_000))
      if let worker = run.workers.randomElement(), run.isRunning {
        kill(worker, SIGKILL)
        killed += 1
      }
      #expect(run.wait() == 3)
      #expect(try scene.essence() == expected)
      try scene.expectVerified()
    }
    #expect(killed > 0, "no worker was there to be killed")
  }

  @Test("A second run finds the library held, says by whom, and waits when asked to")
  func held() throws {
    let scene = try scene()
    let first = try BackgroundRun(scene)
    while first.isRunning, first.workers.isEmpty { usleep(1000) }
    first.send(SIGSTOP)
    let second = try scene.run()
    #expect(second.code == 73, "\(second.said)")
    #expect(second.said.contains("process "))
    let waiting = try BackgroundRun(scene, ["--wait"])
    usleep(300_000)
    #expect(waiting.isRunning)
    first.send(SIGCONT)
    #expect(first.wait() == 3)
    #expect(waiting.wait() == 3)
    try scene.expectVerified()
  }

  @Test("A closed standard output does not stop an import")
  func closedOutput() throws {
    let scene = try scene()
    try scene.writeManifest()
    let result = try Tool.run(
      "/bin/sh",
      ["-c", "\"$0\" run manifest.json >&-; echo $?", try Scene.executable()],
      in: scene.path
    )
    #expect(result.output.contains("3"))
    #expect(try scene.originals().count == 35)
  }
}
