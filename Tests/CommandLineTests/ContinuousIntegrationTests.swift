import Foundation
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

/// The CI files of `docs/ci`, as their servers would run them.
@Suite(
  "Continuous integration",
  .serialized,
  .enabled(if: PipelineFile.canBeRead, "no python3-yaml")
)
struct ContinuousIntegrationTests {
  private static let names = ["github-actions.yml", "gitlab-ci.yml", "Jenkinsfile"]

  /// A folder as a checkout has it; a person has granted the camera for so long.
  private func scene(term: String) throws -> Scene {
    let scene = Scene()
    scene.manifest["onNotDetermined"] = "ask"
    try scene.declare("camera", nil)
    try scene.put("sources/camera/one.jpg", try Media.photo("one"))
    try scene.writeManifest()
    try scene.access("grant", "manifest.json", "camera", "--for", term).expect(0)
    return scene
  }

  /// What the servers say of a change to the branch `main`, whose newest commit is `target`.
  private static func variables(target commit: String) -> [String: String] {
    [
      "GITHUB_BASE_REF": "main", "CI_MERGE_REQUEST_DIFF_BASE_SHA": commit, "CHANGE_TARGET": "main",
    ]
  }

  /// Makes the scene's folder a checkout in which the target branch has these files as they are now.
  private func commitTarget(of scene: Scene, _ files: String) throws -> [String: String] {
    let commit = try scene.shell(
      """
      git init -q . && git add \(files)
      git -c user.name=t -c user.email=t@example.org commit -q -m base
      git update-ref refs/remotes/origin/main HEAD
      git rev-parse HEAD
      """
    ).output.trimmingCharacters(in: .whitespacesAndNewlines)
    return Self.variables(target: commit)
  }

  @Test(
    "A run that is allowed is green, with all reports",
    .enabled(if: Has.tidy && Has.xmllint, "no tidy or no xmllint"),
    arguments: names
  )
  func green(_ name: String) throws {
    let scene = try scene(term: "30d")
    let outcome = try PipelineFile(name).run(in: scene)
    try #require(outcome.code == 0, "\(outcome.streams)")
    let page = scene.at("reports/report.html")
    try ReportReader.expectPage(page)
    #expect(try scene.text(page).contains("Everything was imported"))
    try ReportReader.expectJUnit(scene.at("reports/junit.xml"))
    let statement = try ReportReader.read("intoto", scene.at("reports/statement.json"), scene.library)
    #expect(statement.hasPrefix("PASSED"))
  }

  @Test(
    "A grant that has expired turns it red, with a report that says why",
    arguments: Amount.some(2, of: names)
  )
  func expired(_ name: String) throws {
    let scene = try scene(term: "30d")
    let file = try PipelineFile(name)
    try #require(try file.run(in: scene).code == 0)
    try scene.expireAnswer(.camera)
    try scene.put("sources/camera/two.jpg", try Media.photo("two"))

    let outcome = try file.run(in: scene)
    #expect(outcome.code == 75, "\(outcome.streams)")
    let page = try scene.text(scene.at("reports/report.html"))
    #expect(page.contains("The permission has expired; somebody has to decide again."))
    #expect(page.contains("A person has to decide first. Nothing was opened."))
    let junit = try scene.text(scene.at("reports/junit.xml"))
    #expect(junit.contains("<failure type=\"expired\""))
    let statement = try JSON(text: try scene.text(scene.at("reports/statement.json")))
    #expect(statement["predicate"]["result"].string == "FAILED")
    let failed = statement["predicate"]["failedTests"].array.compactMap(\.string)
    #expect(failed.contains { $0.hasPrefix("permission/") && $0.hasSuffix("/camera") })
    if name == "github-actions.yml" {
      #expect(outcome.output.contains("::error title=Run "))
      #expect(outcome.output.contains("has expired"))
      #expect(try scene.text(scene.at("step-summary.md")).contains("has expired"))
    }
  }

  @Test("A manifest with a mistake is red at once, and nothing is opened", arguments: names)
  func mistake(_ name: String) throws {
    let scene = try scene(term: "30d")
    try scene.put("manifest.json", "{}")
    let outcome = try PipelineFile(name).run(in: scene)
    #expect(outcome.code == 78, "\(outcome.streams)")
    #expect(!FileManager.default.fileExists(atPath: scene.library))
    let expected =
      name == "gitlab-ci.yml"
      ? "There is no library, so no run has left a log."
      : "The check has failed, so there was no run."
    #expect(outcome.output.contains(expected))
    #expect(!outcome.error.contains("not a library"), "\(outcome.error)")
  }

  @Test(
    "After a check that fails, the run before it is not reported again",
    arguments: ["github-actions.yml", "Jenkinsfile"]
  )
  func keptWorkspace(_ name: String) throws {
    let scene = try scene(term: "30d")
    let file = try PipelineFile(name)
    try #require(try file.run(in: scene).code == 0)
    #expect(FileManager.default.fileExists(atPath: scene.at("reports/report.html")))
    try scene.put("manifest.json", "{}")
    #expect(try file.run(in: scene).code == 78)
    #expect(!FileManager.default.fileExists(atPath: scene.at("reports/report.html")))
  }

  @Test(
    "What a change widens is red, also where a person has to decide besides",
    .enabled(if: Tool.exists("git"), "no git"),
    arguments: names
  )
  func widened(_ name: String) throws {
    let scene = try scene(term: "30d")
    let variables = try commitTarget(of: scene, "manifest.json")
    try scene.expireAnswer(.camera)
    scene.manifest["output"] = ["path": "Elsewhere"]
    try scene.writeManifest()
    let outcome = try PipelineFile(name).run(in: scene, environment: variables)
    #expect(outcome.code == 4, "\(outcome.streams)")
    #expect(outcome.error.contains("1 change allows more than"))
    let worktrees = try scene.shell("git worktree list | wc -l").output
    #expect(worktrees.trimmingCharacters(in: .whitespacesAndNewlines) == "1")
  }

  @Test(
    "What is not known of the target branch is no agreement",
    .enabled(if: Tool.exists("git"), "no git"),
    arguments: names
  )
  func unknownBranch(_ name: String) throws {
    let scene = try scene(term: "30d")
    _ = try scene.shell("git init -q .")
    let outcome = try PipelineFile(name).run(
      in: scene,
      environment: Self.variables(target: String(repeating: "1", count: 40))
    )
    #expect(outcome.code != 0, "\(outcome.streams)")
    #expect(outcome.error.contains("fatal: "), "\(outcome.error)")
    #expect(!FileManager.default.fileExists(atPath: scene.library))
  }

  @Test(
    "A labels file with other bytes than in the target branch is red",
    .enabled(if: Tool.exists("git"), "no git"),
    arguments: Amount.some(1, of: names)
  )
  func labels(_ name: String) throws {
    let scene = try scene(term: "30d")
    scene.manifest["labels"] = ["file": "labels.csv"]
    try scene.writeManifest()
    try scene.put("labels.csv", "source,path,label\ncamera,one.jpg,Pier\n")
    let variables = try commitTarget(of: scene, "manifest.json labels.csv")
    try scene.put("labels.csv", "source,path,label\ncamera,one.jpg,Somebody\n")
    let outcome = try PipelineFile(name).run(in: scene, environment: variables)
    #expect(outcome.code == 4, "\(outcome.streams)")
    #expect(outcome.streams.contains("labels file has another content"), "\(outcome.streams)")
  }

  @Test(
    "The files build a commit and install it before they use it; no tag is asked for, since there may be none",
    arguments: ["github-actions.yml", "gitlab-ci.yml"]
  )
  func installs(_ name: String) throws {
    let text = try PipelineFile.text(name)
    #expect(text.contains("MEDIABATCH_COMMIT: main\n"))
    #expect(!text.contains("MEDIABATCH_TAG"))
    let built = try #require(text.range(of: "make -C mediabatch deb"))
    let installed = try #require(
      text.range(of: "apt-get install --yes .*/mediabatch_\\*\\.deb", options: .regularExpression)
    )
    let used = try #require(text.range(of: "mediabatch check "))
    #expect(built.upperBound < installed.lowerBound)
    #expect(installed.upperBound < used.lowerBound)
  }

  @Test(
    "A pull request that adds the manifest has none to compare with",
    .enabled(if: Tool.exists("git"), "no git")
  )
  func firstManifest() throws {
    let scene = try scene(term: "30d")
    _ = try scene.shell(
      """
      git init -q . && git -c user.name=t -c user.email=t@example.org commit -q --allow-empty -m base
      git update-ref refs/remotes/origin/main HEAD
      """
    )
    let outcome = try PipelineFile("github-actions.yml").run(
      in: scene,
      environment: ["GITHUB_BASE_REF": "main"]
    )
    #expect(outcome.code == 0, "\(outcome.streams)")
  }
}

/// A CI file of `docs/ci` and the shell steps that it has.
struct PipelineFile {
  static let canBeRead = (try? Tool.run("python3", ["-c", "import yaml"]).status) == 0

  private let steps: [(script: String, always: Bool)]

  private static func path(_ name: String) -> String {
    URL(fileURLWithPath: ReportReader.folder).deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("docs/ci/" + name).path
  }

  static func text(_ name: String) throws -> String {
    try String(contentsOfFile: path(name), encoding: .utf8)
  }

  init(_ name: String) throws {
    let file = Self.path(name)
    steps = try JSON(text: try ReportReader.read("pipeline", file))["steps"].array.map {
      (try #require($0["script"].string), $0["always"].bool == true)
    }
  }

  /// Runs the steps as the server would: after a failure only those that run always. The result has the
  /// code of the first step that failed.
  func run(in scene: Scene, environment: [String: String] = [:]) throws -> Outcome {
    try scene.makeFolder("bin")
    try? FileManager.default.createSymbolicLink(
      atPath: scene.at("bin/mediabatch"),
      withDestinationPath: try Scene.executable()
    )
    var result = Outcome(code: 0, output: "", error: "")
    for step in steps where result.code == 0 || step.always {
      let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
      let outcome = try Tool.run(
        "bash",
        ["--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step.script],
        environment: Scene.environment(in: scene.path).merging([
          "PATH": scene.at("bin") + ":" + path, "GITHUB_STEP_SUMMARY": scene.at("step-summary.md"),
        ]) { $1 }.merging(environment) { $1 },
        in: scene.path
      )
      result.output += outcome.output
      result.error += outcome.error
      if result.code == 0, !step.always { result.code = outcome.status }
    }
    return result
  }
}
