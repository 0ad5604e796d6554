internal import ArgumentParser
internal import MediaFileSystem
internal import MediaManifest
internal import MediaModel
internal import MediaPermissions
internal import MediaPipeline
internal import MediaSyntax

struct SignCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sign",
    abstract: "Sign a manifest, where a policy asks for signatures.",
    discussion: """
      The signature is written beside the manifest, as MANIFEST.sig.

      EXAMPLES
        mediabatch sign manifest.json --key ~/.ssh/id_ed25519
        mediabatch sign manifest.json --key ~/.ssh/id_ed25519.pub --pin

      It is an OpenSSH signature (ssh-ed25519, namespace mediabatch), which ssh-keygen makes. `ssh-keygen -Y verify -n \
      mediabatch` checks it, and one by `ssh-keygen -Y sign -n mediabatch` is as good. Other files that decide \
      (Info.plist, labels, names of places) must be in the manifest with their SHA-256, which --pin writes.
      """
  )

  @Argument(help: "The manifest, a JSON file.", completion: .file(extensions: ["json"]))
  var manifest: PathArgument

  @Option(help: "A private key (ssh-ed25519), or the public one of a key in ssh-agent.")
  var key: PathArgument

  @Flag(help: "First write the SHA-256 of other files that decide into the manifest.")
  var pin = false

  @Option(help: "How to print the result.")
  var format = OutputFormat.text

  func run() throws {
    do {
      var loaded = try load()
      let named = loaded.manifest.decidingFiles
      let changed = loaded.presentFiles.filter { $0.sha256 != nil && !named.contains($0) }
      if pin, !loaded.localizations.isEmpty {
        Console.note(
          "InfoPlist.strings and InfoPlist.xcstrings are not read beside a file that is named with its SHA-256: write "
            + "texts in other languages into usageDescriptions."
        )
      }
      if pin, !changed.isEmpty {
        try Self.replace(loaded.resolvedPath, with: ManifestPins.adding(changed, to: loaded.bytes))
        loaded = try load()
      }
      try requirePins(loaded)
      let signature = try sign(loaded)
      try report(loaded, signature)
      for (source, declaration) in loaded.manifest.sources where declaration.path?.utf8.first != .slash {
        guard declaration.path != nil, declaration.layout.isFolder else { continue }
        Console.note(
          "\(loaded.manifest.sources.key(of: source)).path is relative: a copy of the manifest elsewhere means the "
            + "folder of that name there. An absolute path always means the same folder."
        )
      }
    } catch let error as SSHKeygen.Failure {
      try end(error.code, error.description)
    } catch let error as FileSystemError {
      try end(.cannotWrite, "Not signed: \(error).")
    }
  }

  private func load() throws -> LoadedManifest {
    try LoadedManifest.orExit(manifest, key: key, signature: .isMade, format: format)
  }

  /// - Throws: The reason why nobody should sign it: 78 for a file that is named without its SHA-256, 77 for another one.
  private func requirePins(_ loaded: LoadedManifest) throws(SSHKeygen.Failure) {
    for (named, present) in zip(loaded.manifest.decidingFiles, loaded.presentFiles) where named != present {
      throw SSHKeygen.Failure(
        code: named.sha256 == nil ? .manifestMistake : .sourceRefused,
        description:
          "Not signed: \(named.key) names the \(named.name) \"\(EscapedText.printable(named.path))\" "
          + (named.sha256 == nil ? "without its SHA-256" : "with another SHA-256 than it has")
          + ", so another file could take its place. --pin writes the SHA-256 that it has now."
      )
    }
  }

  /// Signs the manifest, and checks by code of our own that the bytes were signed that were read.
  private func sign(_ loaded: LoadedManifest) throws -> SSHSignature {
    let text = try SSHKeygen.sign(FileSystem.openFile(loaded.resolvedPath), key: key.bytes)
    let signature: SSHSignature
    do throws(SignatureProblem) {
      signature = try SSHSignature(text)
      try signature.verify(loaded.bytes)
    } catch {
      throw SSHKeygen.Failure(
        code: .usage,
        description: "Not signed: the signature would not count: \(error.text)."
      )
    }
    try Self.replace(SignatureRules.signaturePath(of: loaded.resolvedPath), with: text)
    do throws(SignatureProblem) {
      _ = try loaded.policies.signatureRules?.verify(
        text,
        of: loaded.manifest,
        loaded.bytes,
        sha256: loaded.sha256,
        at: AccessSubject.now
      )
    } catch {
      Console.note("The policy of this machine does not take it: \(error.text).")
    }
    return signature
  }

  /// Puts a file in its place, whole or not at all, with the mode of the one that was there.
  private static func replace(_ path: [UInt8], with bytes: [UInt8]) throws(FileSystemError) {
    let parts = ItemPath(bytes: path)
    let folder = try FileSystem.openFolder(parts.folder.isEmpty ? [UInt8.slash] : Array(parts.folder))
    let new = Array(".\(UInt64.random(in: .min ... .max)).new".utf8)
    let mode = (try? FileSystem.openPath(path).ownership())?.mode
    let file = try FileSystem.createFile(in: folder, new, mode: (mode ?? 0o644) & 0o777)
    do {
      // The umask would take bits away.
      if let mode { try file.setMode(mode & 0o777) }
      try file.write(bytes)
      try file.flush()
      try FileSystem.replace(from: folder, new, to: folder, Array(parts.name))
    } catch {
      try? FileSystem.removeFile(in: folder, new)
      throw error
    }
  }

  private func report(_ loaded: LoadedManifest, _ signature: SSHSignature) throws {
    let path = EscapedText.percentEscaped(SignatureRules.signaturePath(of: loaded.resolvedPath))
    format.print(
      [
        "schema": "mediabatch.sign/1", "exitCode": 0, "signature": .string(path),
        "fingerprint": .string(signature.key.fingerprint), "sha256": .string(loaded.sha256),
        "serial": JSONValue(loaded.manifest.serial), "signedBy": JSONValue(loaded.manifest.signedBy),
        "signedAt": JSONValue(loaded.manifest.signedAt),
      ],
      ["Signed by \(signature.key.fingerprint), serial \(loaded.manifest.serial): \(path)"]
    )
  }

  private func end(_ code: RunExitCode, _ message: String) throws {
    Console.note(message)
    if format == .json {
      Console.output([
        "schema": "mediabatch.sign/1", "exitCode": code.json, "problems": [message].json,
      ])
    }
    try code.exit()
  }
}
