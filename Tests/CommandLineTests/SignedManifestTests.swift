import Foundation
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

/// A scene with keys of OpenSSH, and a system on which root's policy asks for signatures.
private struct SignedScene {
  let scene = Scene()
  /// The files of `/etc/mediabatch`, by name.
  var system = [
    "policy.json":
      #"{"version":1,"signatures":{"allowedSigners":"/etc/mediabatch/allowed_signers"}}"#,
    "allowed_signers": "desk@example.org KEY\n",
  ]

  static let isPossible = Namespace.isAvailable && Tool.exists("ssh-keygen") && Tool.exists("ssh-agent")

  /// Two keys of Ed25519 without passphrases, `a` and `b`, and a manifest with one source.
  init() throws {
    try scene.declare("library")
    try scene.put("sources/library/a.jpg", try Media.photo("a"))
    for key in ["a", "b"] {
      try scene.shell("ssh-keygen -q -t ed25519 -N '' -C \(key) -f \(key) </dev/null").expect(0)
    }
    scene.manifest["serial"] = 3
    scene.manifest["signedBy"] = "desk@example.org"
    try scene.writeManifest()
  }

  /// The public key of `a` or `b`, without its comment.
  func key(_ name: String) throws -> String {
    let text = String(decoding: try readBytes(scene.at(name + ".pub")), as: UTF8.self)
    return text.split(separator: " ").prefix(2).joined(separator: " ")
  }

  /// Runs a bash script where `/etc/mediabatch` has the files of ``system``, in which `KEY` stands for `a`'s public key.
  ///
  /// - Returns: Nil where no overlay can be mounted.
  func shell(_ script: String, after change: String = "true") throws -> Outcome? {
    for (name, text) in system {
      try scene.put("etc/" + name, text.replacing("KEY", with: try key("a")))
    }
    let outcome = try Namespace.run(
      """
      mkdir root && mount -t tmpfs tmpfs root && mkdir -p root/upper root/work && chmod 755 root/upper \
      && mount -t overlay overlay -o lowerdir=/etc,upperdir=root/upper,workdir=root/work /etc \
      && mkdir -p /etc/mediabatch && cp etc/* /etc/mediabatch && chmod 755 /etc/mediabatch \
      && chmod 644 /etc/mediabatch/* && (\(change)) || exit 99
      (
      \(script)
      )
      code=$?; umount /etc; umount root; rmdir root; exit $code
      """,
      in: scene.path
    )
    return outcome.code == 99 ? nil : outcome
  }

  /// Signs the manifest as it is by OpenSSH.
  func sign(_ key: String = "a", _ options: String = "-n mediabatch", file: String = "manifest.json") throws {
    try scene.shell("ssh-keygen -q -Y sign \(options) -f \(key) <\(file) >manifest.json.sig").expect(0)
  }
}

/// Who may write every file of a user gets nothing opened that no valid signer's manifest names.
@Suite(
  "Signed manifests",
  .ownProcesses,
  .enabled(if: SignedScene.isPossible, "no mount namespaces, or no ssh-keygen and ssh-agent")
)
struct SignedManifestTests {
  @Test("OpenSSH verifies what sign writes, and a run believes what OpenSSH signs, with either digest")
  func bothWays() throws {
    let signed = try SignedScene()
    let scene = signed.scene
    let outcome = try scene.command("sign", "manifest.json", "--key", "a", "--format", "json")
    try outcome.expect(0)
    let result = try JSON(text: outcome.output)
    #expect(result["serial"].int == 3)
    #expect(result["signedBy"].string == "desk@example.org")
    #expect(result["sha256"].string == (try scene.digests("."))["manifest.json"])
    let fingerprint = try scene.shell("ssh-keygen -lf a.pub").output.split(separator: " ")[1]
    #expect(result["fingerprint"].string == String(fingerprint))
    try scene.put("signers", "desk@example.org \(signed.key("a"))\n")
    let verify = "ssh-keygen -Y verify -n mediabatch -I desk@example.org -f signers -s manifest.json.sig"
    try scene.shell(verify + " <manifest.json").expect(0)
    if let run = try signed.shell("\"$mediabatch\" run manifest.json") { try run.expect(0) }
    for digest in ["sha256", "sha512"] {
      try signed.sign("a", "-n mediabatch -O hashalg=\(digest)")
      guard let run = try signed.shell("\"$mediabatch\" run manifest.json") else { return }
      #expect(run.code == 0, "\(digest): \(run.streams)")
    }
  }

  @Test("Manifest and key have names of bytes")
  func namesOfBytes() throws {
    let scene = try SignedScene().scene
    try scene.shell(
      """
      M=$'man\\xff.json' K=$'key\\xff'; mv manifest.json $M; mv a $K; (umask 077; printf 'x %s' "$(<a.pub)" >signers)
      "$mediabatch" sign $M --key $K && ssh-keygen -Y verify -n mediabatch -I x -f signers -s $M.sig <$M
      """
    ).expect(0)
  }

  @Test("A key that an agent holds signs, and one of another algorithm does not")
  func agent() throws {
    let signed = try SignedScene()
    let scene = signed.scene
    try scene.shell(
      """
      eval "$(ssh-agent -a agent.sock -s)" >/dev/null && ssh-add -q a && mv a away \
      && "$mediabatch" sign manifest.json --key a.pub
      code=$?; kill "$SSH_AGENT_PID"; exit $code
      """
    ).expect(0)
    if let check = try signed.shell("\"$mediabatch\" check manifest.json") { try check.expect(0) }
    try scene.shell("rm manifest.json.sig; ssh-keygen -q -t rsa -b 2048 -N '' -f r </dev/null").expect(0)
    let outcome = try scene.command("sign", "manifest.json", "--key", "r")
    try outcome.expect(64)
    #expect(outcome.streams.contains("ssh-rsa"), "\(outcome.streams)")
    #expect(!FileManager.default.fileExists(atPath: scene.at("manifest.json.sig")))
    try scene.command("sign", "manifest.json", "--key", "nowhere").expect(64)
  }

  /// What is wrong with a signature, and with what words it is told.
  struct Refusal: Sendable, CustomTestStringConvertible {
    var name: String
    var words: String
    var signers = "desk@example.org KEY\n"
    var isRevoked = false
    var key = "a"
    var options = "-n mediabatch"
    /// A script behind the signing.
    var after = "true"
    var testDescription: String { name }
  }

  private static let refusals = [
    Refusal(name: "expired", words: "valid-before", signers: "* valid-before=\"20200101\" KEY\n"),
    Refusal(name: "not yet valid", words: "valid-after", signers: "* valid-after=\"20990101Z\" KEY\n"),
    Refusal(name: "revoked", words: "revoked", isRevoked: true),
    Refusal(name: "unknown", words: "not among the allowed signers", key: "b"),
    Refusal(name: "another person's", words: "signedBy", signers: "other@example.org KEY\n"),
    Refusal(name: "other namespace", words: "namespace \"file\"", options: "-n file"),
    Refusal(name: "not for this namespace", words: "may not sign", signers: "* namespaces=\"git\" KEY\n"),
    Refusal(name: "other manifest", words: "does not fit the manifest", after: "sed -i s/3/4/ manifest.json"),
    Refusal(
      name: "flipped bit",
      words: "is not accepted: it is damaged.",
      after: "sed -i '4s/./\\x00&/;4s/\\x00A/B/;4s/\\x00./A/' manifest.json.sig"
    ),
    Refusal(
      name: "a link",
      words: "cannot be read",
      after: "mv manifest.json.sig x; ln -s x manifest.json.sig"
    ),
    Refusal(name: "none", words: "is missing", after: "rm manifest.json.sig"),
    Refusal(name: "no signature", words: "no signature of OpenSSH", after: "echo x >manifest.json.sig"),
  ]

  @Test("A signature that does not count ends everything with 77, and says why", arguments: refusals)
  func refused(refusal: Refusal) throws {
    var signed = try SignedScene()
    signed.system["allowed_signers"] = refusal.signers
    if refusal.isRevoked {
      signed.system["policy.json"] =
        #"{"version":1,"signatures":{"allowedSigners":"/etc/mediabatch/allowed_signers","revoked":"/etc/mediabatch/gone"}}"#
      signed.system["gone"] = "KEY\n"
    }
    try signed.sign(refusal.key, refusal.options)
    try signed.scene.shell(refusal.after).expect(0)
    guard let outcome = try signed.shell("\"$mediabatch\" run manifest.json --format json") else { return }
    #expect(outcome.code == 77, "\(outcome.streams)")
    #expect(outcome.error.contains(refusal.words), "\(outcome.error)")
    #expect(!FileManager.default.fileExists(atPath: signed.scene.library))
  }

  @Test(
    "Without a signature nothing runs, asks or allows; denying and taking back need none",
    arguments: [
      (77, "run manifest.json"), (77, "run manifest.json --dry-run"), (77, "run manifest.json --web"),
      (77, "check manifest.json"), (77, "check manifest.json --format json"),
      (77, "check manifest.json --format sarif"), (77, "watch manifest.json"),
      (77, "shards plan manifest.json --output Plan --shards 2"),
      (77, "access ask manifest.json library --web"),
      (77, "access grant manifest.json library"), (77, "access limit manifest.json a.jpg"),
      (77, "access explain manifest.json library"),
      (0, "access deny manifest.json library"), (0, "access list manifest.json"),
      (0, "access reset manifest.json"), (0, "init sources/library --manifest new.json --policy keep"),
    ]
  )
  func unsigned(code: Int32, call: String) throws {
    let signed = try SignedScene()
    guard let outcome = try signed.shell("timeout 60 \"$mediabatch\" \(call) </dev/null") else { return }
    #expect(outcome.code == code, "\(call): \(outcome.streams)")
    #expect(!FileManager.default.fileExists(atPath: signed.scene.library))
    if code == 77 { #expect(outcome.error.contains("asks for a signed manifest"), "\(outcome.error)") }
  }

  @Test("Only manifests of the sources that the policy names need a signature, from its serial on")
  func sourcesAndSerial() throws {
    var signed = try SignedScene()
    func policy(_ more: String) -> String {
      #"{"version":1,"deny":[],"signatures":{"allowedSigners":"/etc/mediabatch/allowed_signers",\#(more)}}"#
    }
    signed.system["policy.json"] = policy(#""sources":["camera"]"#)
    guard let other = try signed.shell("\"$mediabatch\" check manifest.json") else { return }
    try other.expect(0)
    try signed.sign()
    for (serial, code) in [(3, Int32(0)), (4, 77)] {
      signed.system["policy.json"] = policy("\"minimumSerial\":\(serial)")
      let outcome = try signed.shell("\"$mediabatch\" check manifest.json")
      #expect(outcome?.code == code, "\(serial): \(outcome?.streams ?? "")")
    }
  }

  @Test("A signature overrules no policy and no person's denial")
  func denyWins() throws {
    var signed = try SignedScene()
    try signed.sign()
    let run = "\"$mediabatch\" run manifest.json --no-input"
    guard let denied = try signed.shell("\"$mediabatch\" access deny manifest.json library && " + run) else {
      return
    }
    #expect(denied.code == 77, "\(denied.streams)")
    #expect(denied.streams.contains("person denied the photo library"), "\(denied.error)")
    let reset = try signed.shell("\"$mediabatch\" access reset manifest.json && " + run)
    #expect(reset?.code == 0, "\(reset?.streams ?? "")")
    signed.system["policy.json"] =
      #"{"version":1,"deny":[{"source":"library"}],"signatures":{"allowedSigners":"/etc/mediabatch/allowed_signers"}}"#
    let policy = try signed.shell(run)
    #expect(policy?.code == 77, "\(policy?.streams ?? "")")
  }

  @Test("sign wants the SHA-256 of each file that decides, --pin writes it, and a run stops at another file")
  func pins() throws {
    let signed = try SignedScene()
    let scene = signed.scene
    scene.manifest["labels"] = ["file": "labels.csv"]
    try scene.put("labels.csv", "source,path,label\nlibrary,a.jpg,Harbour\n")
    try scene.writeManifest()
    let unpinned = try scene.command("sign", "manifest.json", "--key", "a")
    try unpinned.expect(78)
    #expect(unpinned.streams.contains("$.labels.file"), "\(unpinned.streams)")
    // Nor is one believed that OpenSSH signs.
    try signed.sign()
    if let run = try signed.shell("\"$mediabatch\" check manifest.json") {
      try run.expect(77)
      #expect(run.error.contains("--pin"), "\(run.error)")
    }
    try FileManager.default.setAttributes([.posixPermissions: 0o664], ofItemAtPath: scene.manifestPath)
    try scene.command("sign", "manifest.json", "--key", "a", "--pin").expect(0)
    let attributes = try FileManager.default.attributesOfItem(atPath: scene.manifestPath)
    #expect(attributes[.posixPermissions] as? Int == 0o664, "whatever the umask is")
    let text = String(decoding: try readBytes(scene.manifestPath), as: UTF8.self)
    let digest = try #require(try scene.digests(".")["labels.csv"])
    #expect(text.contains(digest))
    if let run = try signed.shell("\"$mediabatch\" run manifest.json") { try run.expect(0) }
    try scene.put("labels.csv", "source,path,label\nlibrary,a.jpg,Else\n")
    // Without a policy, too.
    for outcome in [
      try scene.command("check", "manifest.json"), try scene.command("run", "manifest.json"),
      try scene.command("sign", "manifest.json", "--key", "a"),
    ] {
      #expect(outcome.code == 77, "\(outcome.streams)")
      #expect(outcome.streams.contains("another SHA-256"), "\(outcome.streams)")
    }
    try scene.command("sign", "manifest.json", "--key", "a", "--pin").expect(0)
    if let run = try signed.shell("\"$mediabatch\" check manifest.json") { try run.expect(0) }
  }

  @Test(
    "Signers that somebody else could have written, that cannot be read, or of a strange line end with 78",
    arguments: [
      ("chmod 666 /etc/mediabatch/allowed_signers", "other than root"),
      ("chmod 777 /etc/mediabatch", "other than root"),
      (
        "mkdir -m 777 loose && mv /etc/mediabatch/allowed_signers loose && ln -s $PWD/loose/* /etc/mediabatch",
        "other than root"
      ),
      ("rm /etc/mediabatch/allowed_signers", "cannot be read"),
      ("chown 65534 /etc/mediabatch/allowed_signers", "other than root"),
      ("chown 65534 /etc/mediabatch/gone", "other than root"),
      ("truncate -s 17M /etc/mediabatch/allowed_signers", "of at most 16 MiB"),
      (
        "cd /etc/mediabatch && ln -s allowed_signers other && chown -h 65534 other "
          + "&& sed -i s/allowed_signers/other/ policy.json",
        "is found through a link of somebody other than root"
      ),
      ("echo 'x cert-authority ssh-ed25519 AAAA' >>/etc/mediabatch/allowed_signers", "allowed_signers:2:1:"),
      ("ssh-keygen -q -k -f /etc/mediabatch/gone a.pub", "KRL"),
      ("echo x >/etc/mediabatch/gone", "gone:1:1:"),
      ("rm /etc/mediabatch/gone", "cannot be read"),
    ]
  )
  func unsafeSigners(change: String, words: String) throws {
    var signed = try SignedScene()
    signed.system["policy.json"] =
      #"{"version":1,"signatures":{"allowedSigners":"/etc/mediabatch/allowed_signers","revoked":"/etc/mediabatch/gone"}}"#
    signed.system["gone"] = "# nobody\n"
    try signed.sign()
    guard let outcome = try signed.shell("\"$mediabatch\" run manifest.json", after: change) else { return }
    #expect(outcome.code == 78, "\(outcome.streams)")
    #expect(outcome.error.contains(words), "\(outcome.error)")
  }

  @Test(
    "A local time of the signers' file is standard time, as OpenSSH reads it in summer",
    arguments: [30, -30]
  )
  func standardTime(minutes: Int) throws {
    var signed = try SignedScene()
    signed.system["allowed_signers"] = "desk@example.org valid-before=\"TIME\" KEY\n"
    try signed.sign()
    // In this zone it is summer all the year.
    let outcome = try signed.shell(
      """
      export TZ=AAA0BBB,0/0,J365/25; signers=/etc/mediabatch/allowed_signers
      sed -i "s/TIME/$(date -u -d '\(minutes) minutes' +%Y%m%d%H%M%S)/" $signers
      ssh-keygen -Y verify -n mediabatch -I desk@example.org -f $signers -s manifest.json.sig <manifest.json
      echo "OpenSSH $?"; "$mediabatch" check manifest.json; echo "check $?"
      """
    )
    guard let outcome else { return }
    #expect(outcome.output.contains(minutes > 0 ? "OpenSSH 0\n" : "OpenSSH 255\n"), "\(outcome.streams)")
    #expect(outcome.output.hasSuffix(minutes > 0 ? "check 0\n" : "check 77\n"), "\(outcome.streams)")
  }

  @Test("A policy that a command names asks for no signatures")
  func namedPolicy() throws {
    let signed = try SignedScene()
    try signed.scene.put("policy.json", try #require(signed.system["policy.json"]))
    let outcome = try signed.scene.command("run", "manifest.json", "--policy", "policy.json")
    try outcome.expect(78)
    #expect(outcome.error.contains("only the system's policy"), "\(outcome.error)")
  }

  @Test(
    "Who may write every file of a user has nothing opened that no signer names",
    .enabled(if: Has.strace, "no strace"),
    arguments: [
      // Another manifest, with and without the signature of the old one.
      #"sed -i 's|sources/library|private|' manifest.json"#,
      #"sed -i 's|sources/library|private|' manifest.json; rm manifest.json.sig"#,
      // One that was signed before the policy's serial.
      "cp old.json manifest.json; cp old.json.sig manifest.json.sig",
      // What the manifest names leads elsewhere.
      "mv sources/library x; ln -s ../private sources/library; chown -h 65534 sources/library",
      "rm labels.csv; ln -s private/labels.csv labels.csv; chown -h 65534 labels.csv",
      "ln -sf private/a.jpg manifest.json.sig",
      // So does where the library is, or is to be made.
      "mkdir private/l; ln -s private/l Library; chown -h 65534 Library",
      "ln -s private/new Library; chown -h 65534 Library",
      // By the unsigned manifest's other keys.
      #"echo '{"version":1,"client":{"identifier":"a"},"sources":{},"labels":{"file":"private/labels.csv"},"#
        + #""output":{"path":"Library"}}' >manifest.json"#,
      #"sed -i 's|"labels.csv"|"private/labels.csv"|' manifest.json; "$mediabatch" access grant manifest.json library"#,
    ]
  )
  func attacks(attack: String) throws {
    var signed = try SignedScene()
    let scene = signed.scene
    signed.system["policy.json"] =
      #"{"version":1,"signatures":{"allowedSigners":"/etc/mediabatch/allowed_signers","minimumSerial":3}}"#
    try scene.put("private/a.jpg", try Media.photo("private"))
    try scene.put("private/labels.csv", "source,path,label\nlibrary,a.jpg,Private\n")
    try scene.put("labels.csv", "source,path,label\nlibrary,a.jpg,Harbour\n")
    scene.manifest["serial"] = 2
    try scene.declare("library", "authorized", ["path": "private"], makesFolder: false)
    try scene.writeManifest()
    try scene.shell("mv manifest.json old.json").expect(0)
    try scene.command("sign", "old.json", "--key", "a").expect(0)
    scene.manifest["serial"] = 3
    scene.manifest["labels"] = ["file": "labels.csv"]
    try scene.declare("library")
    try scene.writeManifest()
    try scene.command("sign", "manifest.json", "--key", "a", "--pin").expect(0)
    // Root alone may give a link to somebody else.
    let isDone = try scene.shell(attack).code == 0
    guard isDone || !attack.contains("chown") else { return }
    let trace = "strace -f -y -qq -o trace -e trace=open,openat,openat2 "
    for call in ["run manifest.json --no-input", "access ask manifest.json library --web"] {
      guard let outcome = try signed.shell("timeout 60 \(trace)\"$mediabatch\" \(call) </dev/null") else {
        return
      }
      #expect(outcome.code == 77, "\(call): \(outcome.streams)")
      let opened = String(decoding: try readBytes(scene.at("trace")), as: UTF8.self).split(separator: "\n")
        .filter { $0.contains("/private") && !$0.contains("O_PATH") && !$0.contains(" = -1 ") }
      #expect(opened.isEmpty, "\(call): \(opened)")
      #expect(!FileManager.default.fileExists(atPath: scene.library + "/Audit"))
    }
  }
}
