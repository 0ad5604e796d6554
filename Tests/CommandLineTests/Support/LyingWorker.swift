import Foundation
import MediaTestSupport
import Testing

/// The program beside a worker that lies, as somebody would install it.
enum LyingWorker {
  /// Folders with both programs, one for each lie of the start; made once.
  private static let root = TemporaryFolder()

  /// The program whose worker lies; from its first word on, if `start` names such a lie.
  ///
  /// That is written behind the worker's own bytes, where an ELF loader does not look.
  static func program(start: String? = nil) throws -> String {
    let folder = root.path + "/" + (start ?? "jobs")
    let program = folder + "/mediabatch"
    if FileManager.default.isExecutableFile(atPath: program) { return program }
    let own = try Scene.executable()
    let liar = try BuiltProgram.path("lying-worker")
    let staging = root.path + "/" + UUID().uuidString
    // By a process of its own: a program that this one still had open to write, in a child that it
    // starts at the same time, could not be run. Source: execve(2), ETXTBSY.
    let result = try Tool.run(
      "bash",
      [
        "-ec",
        """
        mkdir "$1"; cp "$2" "$1/mediabatch"; cp "$3" "$1/mediabatch-worker"
        [[ -z $4 ]] || { head -c 64 /dev/zero; printf "START:%s" "$4"; } >> "$1/mediabatch-worker"
        """,
        "bash", staging, own, liar, start ?? "",
      ]
    )
    try #require(result.status == 0, "\(result.error)")
    // Tests run side by side: who is first makes the folder.
    try? FileManager.default.moveItem(atPath: staging, toPath: folder)
    return program
  }
}
