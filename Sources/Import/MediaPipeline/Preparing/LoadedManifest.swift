internal import Glibc
internal import MediaAudit
internal import MediaDigest
internal import MediaFileSystem
internal import MediaLibrary
package import MediaManifest
package import MediaModel
package import MediaPermissions
internal import MediaSources

/// A manifest and the files that it names, read once, before any source is opened.
package struct LoadedManifest: Sendable {
  /// The manifest's path as the person gave it.
  package var givenPath: [UInt8]
  /// The same as text for a person; bytes that are not UTF-8 are replaced, so that it opens nothing.
  package var path: String { String(decoding: givenPath, as: UTF8.self) }
  /// The manifest's folder, absolute; paths in the manifest are relative to it.
  package var folder: [UInt8]
  /// The manifest's bytes.
  package let bytes: [UInt8]
  /// The SHA-256 of the manifest's bytes, hexadecimal.
  package var sha256: String
  /// The content, merged with the Info.plist.
  package var manifest: Manifest
  /// The rows of the labels file, by source and path.
  package var labels: [SourceID: [ItemPath: String]]
  /// The SHA-256 of the labels file; nil without one.
  package var labelsSHA256: String? { digests["$.labels.file"] }
  /// The SHA-256 of the Info.plist; nil without one.
  package var infoPlistSHA256: String? { digests["$.infoPlist"] }
  /// The SHA-256 of each file beside the manifest that decides, by its key, as far as it was read.
  private var digests: [String: String] = [:]
  /// The files beside the Info.plist that have its texts in other languages, by their names below its folder, sorted,
  /// each with its SHA-256.
  package internal(set) var localizations: [(file: String, sha256: String)] = []
  /// The time zones that the manifest names, by source.
  package private(set) var timeZones: [SourceID: LocalTimeZone] = [:]
  /// The organization's policies.
  package var policies: OrganizationPolicies
  /// The SHA-256 of each policy file, hexadecimal, the system's first.
  package var policySHA256s: [String] { policies.sha256s }
  /// Those of the allowed signers, and of the keys that were revoked; empty where no policy asks for signatures.
  package var signerSHA256s: [String] { policies.signatureRules?.sha256s ?? [] }
  /// The manifest's absolute path with every symbolic link resolved.
  package var resolvedPath: [UInt8]
  /// The signature by which the manifest counts; nil where the system's policy asks for none.
  package private(set) var signature: ManifestSignature?
  /// Why the manifest does not count, though it was read without its signature; nothing that it names was read then.
  package private(set) var signatureProblem: RunError?
  /// The absolute path of the library.
  package var output: [UInt8]
  private let othersClosed: ClosedFolders
  private let signatureNeed: SignatureNeed

  /// What a manifest is read for, as far as its signature goes.
  package enum SignatureNeed: Sendable {
    /// To open or to allow something.
    case needed
    /// To take something back: without the signature that it needs it is read, and nothing that it names.
    case none
    /// To be signed: neither a signature nor the SHA-256 of a file that it names is checked.
    case isMade
  }

  /// In bytes; a larger manifest is a mistake.
  private static let maximumLength = ManifestTexts.maximumByteCount

  /// Reads and checks the manifest, its Info.plist and labels file, the organization's policies,
  /// and where its folders lie.
  ///
  /// Only device and inode of the folders are read; nothing in a source is opened or listed.
  ///
  /// - Parameters:
  ///   - path: The path of the manifest.
  ///   - policies: Policy files beside the system's own.
  ///   - key: The signing key's file, if one is named; it may lie in no source. Its content is not
  ///     read here.
  ///   - closed: Folders of another manifest in which neither this one nor a file that it names may lie.
  ///   - signatureNeed: What it is read for.
  /// - Throws: ``Mistakes`` with every mistake of the manifest and of the files that it names; the missing signature
  ///   alone, before any file is opened that the manifest names.
  package init(
    path: [UInt8],
    policies: [[UInt8]] = [],
    key: [UInt8]? = nil,
    closed: ClosedFolders = ClosedFolders([]),
    signature signatureNeed: SignatureNeed = .needed
  ) throws(Mistakes) {
    givenPath = path
    othersClosed = closed
    self.signatureNeed = signatureNeed
    do {
      self.policies = try OrganizationPolicies()
    } catch {
      throw Mistakes(error)
    }
    bytes = try Self.read(path, closed)
    let absolute = FileSystem.resolved(path) ?? path
    resolvedPath = absolute
    folder = Array(absolute[..<(absolute.lastIndex(of: UInt8.slash) ?? 0)])
    if folder.isEmpty { folder = [UInt8.slash] }
    sha256 = Hexadecimal.text(SHA256.hash(bytes))
    let reading = ManifestReader.read(bytes)
    var problems = Mistakes(reading.issues, in: String(decoding: path, as: UTF8.self))
    guard let manifest = reading.manifest ?? reading.readable else { throw problems }
    self.manifest = manifest
    labels = [:]
    output = Self.join(folder, manifest.output)
    do throws(RunError) {
      signature = try verifiedSignature()
    } catch {
      problems.add(error)
      guard signatureNeed == .none, reading.manifest != nil else { throw problems }
      signatureProblem = error
      return
    }
    for folder in folders where signatureNeed == .needed {
      try requireOwnPath(folder.path, folder.name)
    }
    problems.collect { () throws(Mistakes) in try checkLocations() }
    // A file beside a manifest could lie in a source whose path is not known.
    guard problems.arePlacesKnown else { throw problems }
    problems.collect { () throws(Mistakes) in try checkPlaces(key: key) }
    for file in policies {
      problems.collect { () throws(Mistakes) in try readPolicy(file) }
    }
    if let file = manifest.infoPlist {
      problems.collect { () throws(Mistakes) in try mergeInfoPlist(file) }
    }
    if let file = manifest.labels.file {
      problems.collect { () throws(Mistakes) in try readLabels(file) }
    }
    problems.collect { () throws(Mistakes) in try readPlaceDigest() }
    for source in manifest.sources.keys {
      problems.collect { () throws(Mistakes) in try readTimeZone(of: source) }
    }
    guard problems.mistakes.isEmpty else {
      problems.readable = self
      throw problems
    }
  }

  /// Checks the signature of the bytes that were read, if the system's policy asks for one.
  ///
  /// - Throws: `RunError`, `signatureRefused`.
  private func verifiedSignature() throws(RunError) -> ManifestSignature? {
    guard signatureNeed != .isMade, let rules = policies.signatureRules else { return nil }
    let demands = rules.demands(of: manifest)
    guard !demands.isEmpty else { return nil }
    let path = SignatureRules.signaturePath(of: resolvedPath)
    let shown = EscapedText.percentEscaped(path)
    do {
      let parts = ItemPath(bytes: path)
      // A link in its place would lead to a file that nobody named.
      let file = try FileSystem.openForReading(
        beneath: FileSystem.openPath(parts.folder.isEmpty ? [UInt8.slash] : Array(parts.folder)),
        Array(parts.name),
        crossMounts: true
      )
      let text = try FileSystem.readSmallFile(file, limit: SSHSignature.maximumByteCount)
      return try rules.verify(text, of: manifest, bytes, sha256: sha256, at: Int64(time(nil)))
    } catch let problem as SignatureProblem {
      throw RunError(
        .signatureRefused,
        "Not run: the signature \"\(shown)\" is not accepted: \(problem.text)."
      )
    } catch {
      let names = Quantity.list(demands.map { "the \($0.displayName)" })
      let isMissing = (error as? FileSystemError)?.isMissing == true
      throw RunError(
        .signatureRefused,
        "Not run: \(OrganizationPolicies.systemPath) asks for a signed manifest for \(names), and \"\(shown)\" "
          + (isMissing ? "is missing" : "cannot be read (\(error.reason(besides: shown)))")
          + ". Whoever may sign it runs: mediabatch sign \(ShellWord.quoted(self.path)) --key KEY"
      )
    }
  }

  /// Keeps the SHA-256 of a file, and checks that it is the one that the manifest names.
  private mutating func take(_ sha256: String?, of key: String) throws(Mistakes) {
    digests[key] = sha256
    // Who signs it may be about to name another SHA-256.
    guard signatureNeed != .isMade, let file = manifest.decidingFiles.first(where: { $0.key == key }),
      let pin = file.sha256, pin != sha256
    else { return }
    throw Mistakes(
      RunError(
        .fileDiffers,
        "Not run: the \(file.name) \"\(EscapedText.printable(file.path))\" has another SHA-256 than \(file.key) in "
          + "\(EscapedText.printable(path)). Bring the earlier file back, or sign the manifest for the new one: "
          + "mediabatch sign \(ShellWord.quoted(path)) --pin --key KEY"
      )
    )
  }

  /// The files beside the manifest that decide, each with the SHA-256 that it has, if it was read.
  package var presentFiles: [DecidingFile] {
    manifest.decidingFiles.map { file in
      var present = file
      present.sha256 = digests[file.key]
      return present
    }
  }

  /// Checks the file of names of places, which is read much later, and checked again then.
  private mutating func readPlaceDigest() throws(Mistakes) {
    guard let file = manifest.placeData, manifest.placeDataSHA256 != nil || signatureNeed == .isMade
    else { return }
    try requireOwnPath(Self.join(folder, file), "the file of names of places")
    let opened = try openBeside(Self.join(folder, file), shown: file, what: "file of names of places")
    try take((try? FileDigest.of(opened))?.sha256, of: "$.places.data")
  }

  /// Checks where the folders of the manifest lie.
  private func checkLocations() throws(Mistakes) {
    let answers = try? AnswerStore.ownLocation()
    let overlaps = SourcesOverlap.issues(
      manifest: manifest,
      manifestFolder: folder,
      answerStore: answers.map { Array($0[..<($0.lastIndex(of: UInt8.slash) ?? 0)]) }
    )
    guard overlaps.isEmpty else { throw Mistakes(overlaps, in: path) }
    if let (first, second) = mountedOverlap() {
      throw Mistakes(
        .sourcesOverlap,
        "\(EscapedText.printable(path)): \(first) and \(second) are the same folder, through a "
          + "mount; each needs a folder of its own, beside the other."
      )
    }
  }

  /// Checks where the signing key lies, which need not be there, and the files that have no name.
  private func checkPlaces(key: [UInt8]?) throws(Mistakes) {
    if let folder = FileSystem.givenTemporaryFolder {
      try ClosedFolders(sourceFolders).check(missing: folder, "The folder of TMPDIR")
    }
    guard let key else { return }
    guard FileSystem.exists(key) else {
      return try closed().check(missing: key, "The signing key")
    }
    _ = try openBeside(key, shown: String(decoding: key, as: UTF8.self), what: "signing key")
  }

  private mutating func readPolicy(_ file: [UInt8]) throws(Mistakes) {
    let shown = String(decoding: file, as: UTF8.self)
    let opened = try openBeside(file, shown: shown, what: "policy")
    do throws(OrganizationPolicies.Mistake) {
      try policies.read(shown, opened)
    } catch {
      throw Mistakes(error)
    }
  }

  private mutating func mergeInfoPlist(_ file: String) throws(Mistakes) {
    let bytes = try readBeside(file, what: "Info.plist")
    try take(Hexadecimal.text(SHA256.hash(bytes)), of: "$.infoPlist")
    let reading = InfoPlist.read(bytes)
    guard var infoPlist = reading.infoPlist else { throw Mistakes(reading.issues, in: file) }
    // What stands beside a file that is named with its SHA-256 is not named.
    if manifest.infoPlistSHA256 == nil { try localize(&infoPlist, beside: file) }
    let merged = manifest.merging(infoPlist)
    guard merged.issues.isEmpty else { throw Mistakes(merged.issues, in: path) }
    manifest = merged.manifest
    guard manifest.usageDescriptions.values.allSatisfy({ $0.texts.count <= LocalizedText.maximumCount })
    else {
      throw tooManyLanguages
    }
  }

  private mutating func readLabels(_ file: String) throws(Mistakes) {
    let bytes = try readBeside(file, what: "labels file", limit: LabelsFile.maximumByteCount)
    try take(Hexadecimal.text(SHA256.hash(bytes)), of: "$.labels.file")
    let reading = LabelsFile.read(bytes, sources: manifest.sources.keys)
    guard let rows = reading.file else { throw Mistakes(reading.issues, in: file) }
    labels = rows.labels
  }

  /// Looks up the time zone of a source.
  private mutating func readTimeZone(of source: SourceID) throws(Mistakes) {
    guard let dates = manifest.sources[source]?.dates, let name = dates.timeZone else { return }
    guard let zone = TimeZoneDatabase.zone(name) else {
      throw Mistakes([dates.unknownTimeZone(name, at: manifest.sources.jsonPath(of: source))], in: path)
    }
    timeZones[source] = zone
  }

  /// Reads a file that the manifest names, relative to the manifest's folder.
  func readBeside(
    _ file: String,
    what: String,
    limit: Int = maximumLength
  ) throws(Mistakes) -> [UInt8] {
    try requireOwnPath(Self.join(folder, file), "the \(what)")
    let opened = try openBeside(Self.join(folder, file), shown: file, what: what, limit: limit)
    do {
      return try FileSystem.readSmallFile(opened, limit: limit)
    } catch {
      throw Self.cannotRead(error, file, "The \(what)", limit)
    }
  }

  /// Checks, before anything is opened, that no link leads a signed path to what nobody signed.
  private func requireOwnPath(_ path: [UInt8], _ name: String) throws(Mistakes) {
    guard signature != nil else { return }
    let own = FileSystem.resolvedByRoot(path)
    // A link above a library that is yet to be made decides where it is made.
    if let own, own == FileSystem.resolved(path) ?? own { return }
    throw Mistakes(
      RunError(
        .signatureRefused,
        "Not run: \(name), \"\(EscapedText.percentEscaped(path))\", is found through a symbolic link, and who signed the "
          + "manifest did not sign where that leads. Name the place itself."
      )
    )
  }

  /// Opens a file beside the manifest for reading: labels, an Info.plist, a policy, a key.
  ///
  /// - Parameters:
  ///   - path: Absolute, or relative to the working directory; symbolic links are followed.
  ///   - shown: The person's own words for the path.
  ///   - what: What the file is, for messages.
  ///   - limit: The bytes that it may have, for messages.
  /// - Returns: The file, open for reading.
  /// - Throws: ``Mistakes``; the file was not opened for reading then.
  private func openBeside(
    _ path: [UInt8],
    shown: String,
    what: String,
    limit: Int = maximumLength
  ) throws(Mistakes) -> Descriptor {
    let name =
      "\(EscapedText.printable(self.path)): the \(what) "
      + "\"\(EscapedText.printable(shown))\""
    do {
      return try closed().open(path, name)
    } catch let error as FileSystemError {
      throw Self.cannotRead(error, shown, "The \(what)", limit)
    } catch let error as Mistakes {
      throw error
    } catch {
      throw Mistakes(.cannotRead, "\(error)")
    }
  }

  /// The folders in which nothing may lie that is read or written because somebody named it: before anything is
  /// decided those of all sources and the library, and behind the decisions the sources that are not allowed whole.
  package func closed(_ access: AccessState? = nil) -> ClosedFolders {
    guard let access else { return ClosedFolders(folders + othersClosed.folders) }
    return ClosedFolders(
      access.closedSources.compactMap { source in
        path(of: source).map { ("the \(source.displayName)", $0) }
      }
    )
  }

  /// The folders of the manifest's sources, with their names for a person.
  private var sourceFolders: [ClosedFolders.Folder] {
    manifest.sources.keys.compactMap { source in
      self.path(of: source).map { ("the \(source.displayName)", $0) }
    }
  }

  /// The folders of the manifest's sources and of its library.
  private var folders: [ClosedFolders.Folder] {
    sourceFolders + [("the library that is written", output)]
  }

  /// Names two folders of which one lies within the other by another mount of the same file system,
  /// which neither path shows.
  private func mountedOverlap() -> (String, String)? {
    let table = MountTable()
    let locations = folders.compactMap { folder in
      table.location(ofPath: folder.path).map { (name: folder.name, location: $0) }
    }
    for (index, second) in locations.enumerated() {
      for first in locations[..<index]
      where first.location.isWithin(second.location) || second.location.isWithin(first.location) {
        return (first.name, second.name)
      }
    }
    return nil
  }

  /// Finds a source whose name a library knows for one of another kind.
  ///
  /// - Parameter known: The sources of which the library has items.
  /// - Returns: The error of the run; nil when there is none.
  package func nameConflict(with known: [SourceID]) -> RunError? {
    for source in manifest.sources.keys {
      guard let other = known.first(where: { $0.isCalled(source.name) }),
        other.kind != source.kind
      else { continue }
      return RunError(
        .manifestMistake,
        "The library has a \(other.kind.displayName) with the name \"\(EscapedText.printable(source.name))\", and at "
          + "\(manifest.sources.key(of: source)) that is a \(source.kind.displayName). Give it another "
          + "name."
      )
    }
    return nil
  }

  /// Returns where a source is, or nil when the manifest has none.
  func address(of source: SourceID) -> SourceAddress? {
    guard let declaration = manifest.sources[source], let path = declaration.path else {
      return nil
    }
    return SourceAddress(path, declaration.layout) { Self.join(folder, $0) }
  }

  /// Returns the absolute path of a source's folder, or nil when the manifest has none, as for a camera.
  package func path(of source: SourceID) -> [UInt8]? { address(of: source)?.folder }

  /// The absolute path of the file of names of places, or nil when the manifest has none.
  package var placeData: [UInt8]? { manifest.placeData.map { Self.join(folder, $0) } }

  static func join(_ folder: [UInt8], _ path: String) -> [UInt8] {
    let bytes = [UInt8](path.utf8)
    return bytes.first == .slash ? bytes : folder + [UInt8.slash] + bytes
  }

  private static func read(_ bytes: [UInt8], _ closed: ClosedFolders) throws(Mistakes) -> [UInt8] {
    let path = String(decoding: bytes, as: UTF8.self)
    do {
      if closed.folders.isEmpty {
        return try FileSystem.readSmallFile(bytes, limit: maximumLength)
      }
      let file = try closed.open(bytes, "The manifest \"\(EscapedText.printable(path))\"")
      return try FileSystem.readSmallFile(file, limit: maximumLength)
    } catch let error as Mistakes {
      throw error
    } catch {
      let error = error as? FileSystemError ?? FileSystemError(call: "read", path: bytes, errno: 0)
      if (try? FileSystem.status(ofPath: bytes))?.kind == .folder {
        throw Mistakes(
          .cannotRead,
          "\"\(EscapedText.printable(path))\" is a folder, and a manifest is expected. "
            + "Write one for it: mediabatch init \(ShellWord.quoted(path))"
        )
      }
      let advice = error.isMissing ? ShellWord.revisionAdvice(path) : ""
      throw cannotRead(error, path, "The manifest", maximumLength, advice)
    }
  }

  private static func cannotRead(
    _ error: FileSystemError,
    _ shown: String,
    _ subject: String,
    _ limit: Int,
    _ advice: String = ""
  ) -> Mistakes {
    Mistakes(
      .cannotRead,
      "\(subject) \"\(EscapedText.printable(shown))\" cannot be read: "
        + "\(FileSystemError.text(error.errno)). Check the path; it has to be a regular file of at "
        + "most \(limit >> 20) MiB.\(advice)"
    )
  }
}
