import Foundation
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

/// An organization's policy denies; nothing that anybody else says changes that.
@Suite("Organization policies")
struct PolicyTests {
  private func scene() throws -> Scene {
    let scene = Scene()
    try scene.declare("camera")
    try scene.declare("library")
    for source in ["camera", "library"] {
      try scene.put("sources/\(source)/a.jpg", try Media.photo(source))
    }
    try scene.put(
      "policy.json",
      #"{"version":1,"organization":"Example News","deny":[{"source":"library","reason":"Not here."}]}"#
    )
    return scene
  }

  @Test("What a policy denies is restricted, whatever manifest and answers say")
  func denies() throws {
    let scene = try scene()
    try scene.writeManifest()
    try scene.command("access", "grant", "manifest.json", "library").expect(0)
    let outcome = try scene.run("--policy", "policy.json")
    try outcome.expect(77)
    var sources: [String: JSONValue] = [:]
    if case .object(let members)? = scene.manifest["sources"] { sources = members }
    sources["library"] = [
      "path": "sources/library", "authorizationStatus": "authorized", "required": false,
    ]
    scene.manifest["sources"] = .object(sources)
    let second = try scene.run("--policy", "policy.json")
    try second.expect(0)
    try second.expectCounts(["imported": 1])
    let decision = try #require(
      try scene.lastLog().first {
        $0["event"].string == "decision" && $0["source"].string == "library"
      }
    )
    #expect(decision["reason"].string == "restricted")
    #expect(decision["decidedBy"].string == "policy")
    #expect(decision["row"].int == 3)
    let first = try #require(try scene.lastLog().first)
    let policy = try scene.digests(".")["policy.json"]
    #expect(first["policySHA256s"].array.compactMap(\.string) == [try #require(policy)])
  }

  @Test("The command that is printed names the policies, and explains the same decision")
  func printedCommand() throws {
    let scene = try scene()
    try scene.put("it's none.json", #"{"version":1,"deny":[{"enforcement":"process"}]}"#)
    try scene.writeManifest()
    let run = try scene.command(
      ["run", "manifest.json", "--policy", "policy.json", "--policy", "it's none.json"]
    )
    try run.expect(77)
    let line = try #require(
      run.streams.split(separator: "\n").first { $0.contains("mediabatch access explain ") }
    )
    let command = line.trimmingCharacters(in: .whitespaces)
    #expect(command.hasSuffix(" library --policy policy.json --policy 'it'\\''s none.json'"))
    let explained = try scene.shell(command.replacing("mediabatch ", with: "\"$mediabatch\" "))
    #expect(explained.streams.contains("Not here."), "\(explained.streams)")
    // Without the policy the same command says that the source is allowed.
    let other = try scene.command("access", "explain", "manifest.json", "library")
    #expect(!other.streams.contains("Not here."))
  }

  @Test("A policy that cannot be read, or that grants, stops with 78 before anything is opened")
  func mistakes() throws {
    let scene = try scene()
    try scene.run("--policy", "nowhere.json").expect(78)
    try scene.put("policy.json", #"{"version":1,"allow":[{"source":"camera"}]}"#)
    let outcome = try scene.run("--policy", "policy.json")
    try outcome.expect(78)
    #expect(outcome.error.contains("allow"))
    #expect(!FileManager.default.fileExists(atPath: scene.library))
  }

  @Test("A policy can deny a run without the kernel's enforcement")
  func deniesProcessEnforcement() throws {
    let scene = try scene()
    try scene.put("policy.json", #"{"version":1,"deny":[{"enforcement":"process"}]}"#)
    try scene.run("--policy", "policy.json", "--enforcement", "process").expect(77)
    try scene.run("--policy", "policy.json").expect(0)
  }

  @Test(
    "The system's policy is heard without being named, and only while root alone can write it",
    .enabled(if: Namespace.isAvailable, "no mount namespaces")
  )
  func system() throws {
    let scene = try scene()
    try scene.writeManifest()
    let other = "could have been written by somebody other than root"
    for (change, code, words) in [
      ("chmod 644 $policy", 77, "access to the photo library is refused"), ("chmod 666 $policy", 78, other),
      ("chmod 664 $policy", 78, other),
      ("chown 65534 $policy", 78, other), ("chmod 777 /etc/mediabatch", 78, other),
      ("chown 65534 /etc/mediabatch", 78, other),
      ("mv $policy x && ln -s $PWD/x $policy", 78, "is a link or no file"),
      ("rm $policy && mkdir $policy", 78, "is a link or no file"), ("rm $policy", 0, "\"imported\":2"),
    ] {
      let outcome = try Namespace.run(
        """
        mkdir root && mount -t tmpfs tmpfs root && mkdir -p root/upper root/work && \
        mount -t overlay overlay -o lowerdir=/etc,upperdir=root/upper,workdir=root/work /etc \
        && policy=/etc/mediabatch/policy.json && mkdir -p /etc/mediabatch && cp policy.json $policy \
        && chmod 755 /etc/mediabatch && chmod 644 $policy && \(change) || exit 99
        "$mediabatch" run manifest.json --format json
        code=$?; umount /etc; umount root; rmdir root; exit $code
        """,
        in: scene.path
      )
      if outcome.code == 99 { continue }
      #expect(outcome.code == code, "\(change): \(outcome.error)")
      #expect(outcome.streams.contains(words), "\(change): \(outcome.streams)")
    }
  }
}
