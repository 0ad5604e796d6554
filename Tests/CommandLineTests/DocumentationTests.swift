import Foundation
import MediaSyntax
import MediaTestSupport
import Testing

/// Runs every command, session, manifest and query of the documents.
@Suite(
  "Documents",
  .enabled(if: Has.sqlite && Has.python && Tool.exists("openssl"), "no sqlite3, python3 or openssl")
)
struct DocumentationTests {
  /// A copy of the project's demo with what the documents' commands name, and a library of one run.
  private struct Stage {
    let scene = Scene()
    var values: [String: String] = [:]
    var folder: String { scene.at("mediabatch") }

    init(for blocks: [DocumentBlock]) throws {
      try scene.makeFolder("mediabatch")
      try scene.makeFolder("tools")
      try FileManager.default.createSymbolicLink(
        atPath: scene.at("tools/mediabatch"),
        withDestinationPath: try Scene.executable()
      )
      try FileManager.default.createSymbolicLink(
        atPath: scene.at("tools/mediabatch-verify"),
        withDestinationPath: Verifier.program
      )
      try copy("Manifests", to: "Manifests")
      try copy("Manifests/media", to: "media")
      for name in ["Takeout", "iCloud"] { try scene.makeFolder("mediabatch/media/\(name)") }
      for name in ["Anna", "Bob", "Pictures"] { try copy("Manifests/media/Photos", to: name) }
      for name in ["Phone", "Card"] {
        try scene.makeFolder("mediabatch/" + name)
        try copy("Manifests/media/DCIM", to: name + "/DCIM")
      }
      let manifests = try DocumentBlock.all(in: "docs/manifest.md").filter { $0.language == "json" }
      let feed = try #require(manifests.first).text
      try write("feed.json", feed)
      try write("merged.json", feed)
      try write("labels.csv", "source,path,label\ncamera,100MEDIA/IMG_0001.JPG,Harbour\n")
      let city = ["1", "Lyon", "Lyon", "", "45.7", "4.8", "P", "PPLA", "FR", "", "84"]
      let columns = city + Array(repeating: "", count: 8)
      try write("cities500.txt", columns.joined(separator: "\t") + "\n")
      try write("admin1CodesASCII.txt", "FR.84\tAuvergne\tAuvergne\t2\n")
      try write("manifest.json", Self.manifest)
      try copy("Manifests/media/DCIM/100MEDIA/IMG_0001.JPG", to: "photo.jpg")
      try copy("Manifests/media/Photos/2026/harbour.jpg", to: "media/Photos/2026/harbour.heic")
      let undecided = "del(.sources.library.authorizationStatus, .sources.library.selection)"
      let outcome = try run(
        """
        set -e
        jq '\(undecided)' feed.json >ask.json
        git init -q .
        git add manifest.json
        git -c user.name=a -c user.email=a@example.org commit -qm a
        git update-ref refs/remotes/origin/main HEAD
        mediabatch run manifest.json
        jq '.metadata.policy = "strip" | .output.path = "Stripped"' manifest.json >stripped.json
        mediabatch run stripped.json
        cp Library/Audit/*.head kept.head
        { printf 'mediabatch-selection/1\n\n'
          sqlite3 Library/library.sqlite 'SELECT substr(localIdentifier, 1, 13) FROM assets LIMIT 2'
        } >selection-12.txt
        """
      )
      #expect(outcome.code == 0, "\(outcome.streams)")
      // What no block names would be asked for in vain; a shell stops at a name without a value.
      let text = blocks.map(\.text).joined(separator: "\n")
      for (name, command) in Self.commands where text.contains("$" + name) {
        values[name] = try output(command)
      }
      // README's commands are a person's first: no manifest and no library are there yet.
      if blocks.first?.document == "README.md" { _ = try output("rm -r manifest.json Library") }
    }

    /// What the documents' commands name, and the commands that say it.
    ///
    /// A signed head is a note: its second line is the size, its third the root in Base64.
    private static let commands = [
      ("asset", "sqlite3 Library/library.sqlite 'SELECT localIdentifier FROM assets LIMIT 1'"),
      ("token", "mediabatch changes Library --format json | jq -r .token"),
      ("key", "mediabatch audit key show | head -n 1"),
      ("head", "tail -n 1 Library/Audit/*.ndjson | tr -d '\\n' | sha256sum | head -c 64"),
      ("size", "sed -n 2p kept.head"),
      ("root", "sed -n 3p kept.head | base64 -d | od -An -v -tx1 | tr -d ' \\n'"),
    ]

    /// Puts an authority of openssl's in the place of curl: it answers the requests that are sent.
    func answerRequests() throws {
      let authority = try TimestampAuthority(in: scene.at("tsa"))
      try FileManager.default.copyItem(atPath: authority.certificate, toPath: folder + "/authority.pem")
      let script = """
        #!/usr/bin/env bash
        while (($#)); do
          case $1 in --data-binary) query=${2#@} ;; --output) reply=$2 ;; esac
          shift
        done
        openssl ts -reply -queryfile "$query" -config '\(authority.folder)/tsa.cnf' -out "$reply"
        """
      let curl = try scene.put("tools/curl", script)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: curl)
    }

    private static let manifest = """
      { "version": 1, "client": { "identifier": "org.example.archive" },
        "usageDescriptions": { "NSPhotoLibraryUsageDescription": "The archive keeps them.",
          "NSCameraUsageDescription": "The archive keeps them." },
        "sources": { "library": { "path": "media/Photos", "authorizationStatus": "authorized" } },
        "metadata": { "policy": "keep" }, "thumbnails": { "grid": { "size": [128, 128] } },
        "output": { "path": "Library" } }
      """

    private func copy(_ name: String, to target: String) throws {
      try FileManager.default.copyItem(
        atPath: DocumentBlock.project + "/" + name,
        toPath: folder + "/" + target
      )
    }

    func write(_ name: String, _ text: String) throws {
      try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/" + name))
    }

    /// Runs a command in the folder; nothing is on the way to the program but its name.
    func run(_ command: String) throws -> Outcome {
      let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
      let environment = Scene.environment(in: scene.path).merging(values) { $1 }
        .merging(["PATH": scene.at("tools") + ":" + path]) { $1 }
      return Outcome(try Tool.run("bash", ["-uc", command], environment: environment, in: folder))
    }

    private func output(_ command: String) throws -> String {
      let outcome = try run(command)
      #expect(outcome.code == 0, "\(command): \(outcome.streams)")
      return outcome.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }
  }

  /// Beginnings of commands that another test runs, and the file of that test in the project.
  private static let elsewhere = [
    ("make ", "Makefile"), ("systemctl ", "scripts/test-deb.sh"),
    ("loginctl ", "scripts/test-deb.sh"), ("podman run ", "scripts/container.sh"),
    // It ends only when it is stopped.
    ("mediabatch watch ", "Tests/CommandLineTests/WatchTests.swift"),
    ("mediabatch sign ", "Tests/CommandLineTests/SignedManifestTests.swift"),
    ("ssh-keygen -Y verify ", "Tests/CommandLineTests/SignedManifestTests.swift"),
  ]

  private static func isElsewhere(_ command: String) -> Bool {
    elsewhere.contains { entry in
      command.hasPrefix(entry.0)
        && FileManager.default.fileExists(atPath: DocumentBlock.project + "/" + entry.1)
    }
  }

  /// Whether anything of a block is run here; what names a copy of a library, ``BackupTests`` runs.
  private static func isRun(_ block: DocumentBlock) -> Bool {
    if block.namesCopy { return false }
    if block.language != "sh" { return block.language != "text" }
    return block.lines.contains { !$0.isEmpty && !isElsewhere($0) }
  }

  private static let languages: Set = ["sh", "console", "json", "csv", "sql", "python", "text"]

  @Test("Every block says what it is, and none that shows a command passes for text")
  func languages() throws {
    var count = 0
    for document in try DocumentBlock.documents() {
      for block in try DocumentBlock.all(in: document) {
        count += 1
        #expect(Self.languages.contains(block.language), "\(block) is \"\(block.language)\"")
        guard block.language == "text" else { continue }
        let commands = block.lines.filter { $0.hasPrefix("mediabatch ") || $0.hasPrefix("$ ") }
        #expect(commands.isEmpty, "\(block)")
      }
    }
    #expect(count > 30)
  }

  /// Takes seconds: it runs each command of each document.
  @Test("Every command, session, manifest and query runs, and prints what the document says")
  func blocks() throws {
    for document in try DocumentBlock.documents() {
      let blocks = try DocumentBlock.all(in: document).filter(Self.isRun)
      if blocks.isEmpty { continue }
      let stage = try Stage(for: blocks)
      if blocks.contains(where: { $0.text.contains("\ncurl ") }) { try stage.answerRequests() }
      var printed = PrintedText()
      for block in blocks {
        switch block.language {
        case "sh": try runCommands(block, stage)
        case "console": try runSession(block, stage, &printed)
        case "json": try check(json: block, stage)
        case "csv":
          try stage.write("labels.csv", block.text + "\n")
          let check = try stage.run("mediabatch check feed.json")
          #expect(check.code == 0, "\(block): \(check.streams)")
        case "sql":
          try stage.write("query.sql", block.text)
          let query = try stage.run("sqlite3 -bail Library/library.sqlite <query.sql")
          #expect(query.code == 0, "\(block): \(query.streams)")
        default:
          try stage.write("block.py", block.text)
          let run = try stage.run("test \"$(python3 block.py Library/Audit)\" = \"$head\"")
          #expect(run.code == 0, "\(block): \(run.streams)")
        }
      }
      for name in try FileManager.default.contentsOfDirectory(atPath: stage.folder) {
        let folder = stage.folder + "/" + name
        guard FileManager.default.fileExists(atPath: folder + "/bagit.txt") else { continue }
        let complaint = try BagReader.complaint(about: folder)
        #expect(complaint == nil, "\(document)")
      }
    }
  }

  private func runCommands(_ block: DocumentBlock, _ stage: Stage) throws {
    for command in block.lines where !command.isEmpty && !Self.isElsewhere(command) {
      let outcome = try stage.run(command)
      #expect(outcome.code == 0, "\(block): \(command)\n\(outcome.streams)")
    }
  }

  private func runSession(
    _ block: DocumentBlock,
    _ stage: Stage,
    _ printed: inout PrintedText
  ) throws {
    #expect(!block.steps.isEmpty, "\(block) has no command")
    for step in block.steps {
      let outcome = try stage.run(printed.command(step.command) + " 2>&1")
      let text = outcome.output.replacingOccurrences(of: stage.folder, with: "/home/you/mediabatch")
      let difference = printed.difference(step.printed, text.components(separatedBy: "\n"))
      #expect(difference == nil, "\(block): \(step.command)\n\(difference ?? "")")
    }
  }

  /// Checks a manifest, a policy, or keys of a manifest.
  private func check(json block: DocumentBlock, _ stage: Stage) throws {
    let isWhole = block.text.hasPrefix("{")
    let value = try JSON(text: isWhole ? block.text : "{ \(block.text) }")
    if value["deny"].exists {
      try stage.write("policy.json", block.text)
      let check = try stage.run("mediabatch check manifest.json --policy policy.json")
      #expect(check.code == 77, "\(block): \(check.streams)")
    } else if isWhole {
      try stage.write("block.json", block.text)
      let check = try stage.run("mediabatch check block.json")
      #expect(check.code == 0, "\(block): \(check.streams)")
    } else {
      // The keys of the archive's manifest, with those of the block in their place.
      let isStatus = value["authorizationStatus"].exists
      let filter = isStatus ? ".sources.library += {\(block.text)}" : ". += {\(block.text)}"
      try stage.write("filter.jq", filter)
      let check = try stage.run("jq -f filter.jq manifest.json >block.json && mediabatch check block.json")
      #expect([0, 75].contains(check.code), "\(block): \(check.streams)")
    }
  }

  @Test("Each figure of README's table stands in a result that it links to")
  func figures() throws {
    let text = try readBytes(DocumentBlock.project + "/README.md")
    let readme = String(decoding: text, as: UTF8.self)
    let section = try #require(readme.components(separatedBy: "## How fast").last)
      .components(separatedBy: "\n## ")[0]
    let links = section.matches(of: /\((Benchmarks\/results\/[^)]+)\)/)
    let results = try links.map { link in
      String(decoding: try readBytes(DocumentBlock.project + "/" + link.output.1), as: UTF8.self)
    }
    let figures = section.components(separatedBy: "\n").compactMap { line -> String? in
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      return cells.count == 3 ? cells[2] : nil
    }.filter { Double($0) != nil }
    #expect(figures.count >= 3)
    for figure in figures {
      #expect(results.contains { $0.contains(figure) }, "\(figure)")
    }
  }
}
