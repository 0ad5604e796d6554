import Foundation
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaManifest

@Suite("Comparing two manifests")
struct ManifestComparisonTests {
  private static func side(
    _ manifest: Manifest,
    _ folder: String = "/srv",
    labels: String? = nil
  ) -> ManifestComparison.Side {
    ManifestComparison.Side(manifest: manifest, folder: Array(folder.utf8), labelsSHA256: labels)
  }

  private static func compare(_ old: Manifest, _ new: Manifest) -> ManifestComparison {
    ManifestKeys.comparison(old: side(old), new: side(new))
  }

  @Test(
    "Another signer, another key and a signature that is gone widen; a new serial or a first signature does not"
  )
  func signers() throws {
    let manifest = try #require(ManifestReader.read(try ManifestCases.bytes("good/every-key.json")).manifest)
    func compare(_ before: (String, String)?, _ now: (String, String)?) -> [ManifestComparison.Difference] {
      let sides = [before, now].enumerated().map { number, signer in
        var side = Self.side(manifest)
        side.signature = signer.map { principal, key in
          ManifestSignature(
            signedBy: principal,
            allowedSignersLine: 1,
            fingerprint: key,
            sha256: "",
            verifiedAt: "",
            serial: number
          )
        }
        return side
      }
      return ManifestKeys.comparison(old: sides[0], new: sides[1]).widenings
    }
    #expect(compare(("zoe", "A"), ("zoe", "A")).isEmpty && compare(nil, ("zoe", "A")).isEmpty)
    let another = try #require(compare(("zoe", "A"), ("eve", "B")).first)
    #expect(another.path == "$" && another.sentence == "Somebody else has signed the manifest.")
    #expect(another.old == #""zoe A""# && another.new == #""eve B""#)
    #expect(compare(("zoe", "A"), ("zoe", "B")).first?.sentence == "It is signed with another key.")
    #expect(compare(("zoe", "A"), nil).first?.sentence == "Nobody has signed the manifest any more.")
  }

  private static func outcome(_ comparison: ManifestComparison) -> Set<KeyChange.Outcome> {
    if !comparison.widenings.isEmpty { return [.widened] }
    if comparison.narrowings.isEmpty { return [.same] }
    return Set(comparison.narrowings.compactMap(\.narrowing).map(KeyChange.Outcome.narrowed))
  }

  @Test("A change of any key is on the list of narrowings, or widened", arguments: KeyChange.all)
  func everyChange(_ change: KeyChange) throws {
    let old = try change.manifest(change.old)
    let new = try change.manifest(change.new)
    #expect(Self.outcome(Self.compare(old, new)) == [change.forward])
    #expect(Self.outcome(Self.compare(new, old)) == [change.backward], "back")
    #expect(Self.outcome(Self.compare(new, new)) == [.same])
    let key = change.key.replacing("*", with: "grid")
    let all = [Self.compare(old, new), Self.compare(new, old)].flatMap {
      $0.widenings + $0.narrowings
    }
    for difference in all {
      // A difference names its key, or the object that came or went with it.
      let path = String(difference.path.dropFirst(2).prefix { $0 != "[" })
      let isInherited = key.hasPrefix("metadata.") && path.hasSuffix("." + key)
      #expect(
        key == path || key.hasPrefix(path + ".") || path.hasPrefix(key + ".") || isInherited,
        "\(path)"
      )
      #expect(difference.old != difference.new || difference.sentence.contains("look the same"))
    }
  }

  @Test("No key of the schema is forgotten, and every narrowing happens")
  func coverage() throws {
    // Editors alone read the first, and the second can have only one value.
    let keys = try SchemaKeys.leaves().subtracting(["$schema", "version"])
    #expect(keys.count > 40)
    #expect(Set(KeyChange.all.map(\.key)) == keys)
    let outcomes = Set(KeyChange.all.flatMap { [$0.forward, $0.backward] })
    let elsewhere: Set<Narrowing> = [.sourceLeftOut]
    for narrowing in Narrowing.allCases {
      #expect(outcomes.contains(.narrowed(narrowing)) != elsewhere.contains(narrowing))
    }
  }

  @Test("The list of narrowings in the documentation is the one that counts")
  func documentation() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path
    let text = try String(contentsOfFile: folder + "/../../docs/manifest.md", encoding: .utf8)
    let section = try #require(text.components(separatedBy: "## Comparing two manifests").last)
    let rows = section.split(separator: "\n").filter { $0.hasPrefix("| `") }.map(String.init)
    #expect(rows == Narrowing.allCases.map { "| `\($0.rawValue)` | \($0.sentence) |" })
  }

  @Test("Two changes of several keys are both found, in the order of the keys")
  func several() throws {
    var values = ManifestBuilder.base
    let old = try ManifestBuilder.manifest(values)
    values["output.path"] = #""Other""#
    values["sources.library.selection"] = #"["b.jpg", "c.jpg"]"#
    values["sources.camera.authorizationStatus"] = #""denied""#
    let comparison = Self.compare(old, try ManifestBuilder.manifest(values))
    #expect(
      comparison.widenings.map(\.path) == [
        "$.sources.library.selection[0]", "$.sources.library.selection[1]", "$.output.path",
      ]
    )
    #expect(comparison.widenings.map(\.new) == [#""b.jpg""#, #""c.jpg""#, #""Other""#])
    #expect(
      comparison.narrowings.map(\.path) == [
        "$.sources.camera.authorizationStatus", "$.sources.library.selection[0]",
      ]
    )
    #expect(comparison.narrowings.map(\.old) == [#""authorized""#, #""a.jpg""#])
  }

  @Test("Sources of a list are compared by their names, and not by their order")
  func lists() throws {
    func manifest(_ library: String) throws -> Manifest {
      var values = ManifestBuilder.base.filter { !$0.key.hasPrefix("sources.library.") }
      values["sources.library"] = library
      return try ManifestBuilder.manifest(values)
    }
    func source(_ name: String, _ more: String = "") -> String {
      #"{"name": "\#(name)", "path": "\#(name)", "authorizationStatus": "authorized"\#(more)}"#
    }
    let old = try manifest("[\(source("A")), \(source("B"))]")
    #expect(Self.outcome(Self.compare(old, try manifest("[\(source("B")), \(source("A"))]"))) == [.same])
    let changed = try manifest("[\(source("B")), \(source("A", #", "crossMounts": true"#))]")
    #expect(Self.compare(old, changed).widenings.map(\.path) == ["$.sources.library[1].crossMounts"])
    let fewer = Self.compare(old, try manifest("[\(source("B"))]"))
    #expect(fewer.narrowings.map(\.narrowing) == [.sourceLeftOut] && fewer.widenings.isEmpty)
    let renamed = Self.compare(old, try manifest("[\(source("A")), \(source("C"))]"))
    #expect(renamed.widenings.map(\.path) == ["$.sources.library[1]"])
    #expect(renamed.narrowings.map(\.narrowing) == [.sourceLeftOut])
  }

  @Test("A source that comes is widened; one that goes is, unless it was open and is not needed")
  func sources() throws {
    let whole = try ManifestBuilder.manifest(ManifestBuilder.base)
    for kind in SourceKind.allCases {
      for status in AuthorizationStatus.allCases where status != .limited || kind == .library {
        var old = whole
        old.sources[SourceID(kind)]?.authorizationStatus = status
        var new = old
        new.sources[SourceID(kind)] = nil
        #expect(Self.outcome(Self.compare(new, old)) == [.widened])
        #expect(
          Self.outcome(Self.compare(old, new))
            == [status == .authorized ? .narrowed(.sourceLeftOut) : .widened]
        )
      }
    }
    var old = whole
    old.sources[.camera]?.captureMode = .photoAndLivePhoto
    var new = old
    new.sources[.microphone] = nil
    #expect(Self.outcome(Self.compare(old, new)) == [.widened])
  }

  @Test(
    "Whether files take the places of others, the older manifest says, whatever is compared first"
  )
  func replacedFiles() throws {
    let limit = "sources.library.fetch.fetchLimit"
    let bursts = "sources.library.fetch.includeAllBurstAssets"
    let ignore = "sources.library.ignore"
    func manifest(_ values: [String: String]) throws -> Manifest {
      try ManifestBuilder.manifest(ManifestBuilder.base.merging(values) { $1 })
    }
    // Without a limit all were fetched.
    #expect(
      Self.outcome(
        try Self.compare(manifest([:]), manifest([limit: "5", bursts: "false", ignore: #"["a"]"#]))
      ) == [.narrowed(.fetchFewer), .narrowed(.ignoreMore)]
    )
    let lower = try Self.compare(manifest([limit: "6"]), manifest([limit: "5", bursts: "false"]))
    #expect(lower.widenings.map(\.path) == ["$." + bursts])
    #expect(lower.narrowings.map(\.path) == ["$." + limit])
  }

  @Test("A thumbnail that comes is widened, one that goes is not")
  func thumbnails() throws {
    let old = try ManifestBuilder.manifest(ManifestBuilder.base)
    var new = old
    new.thumbnails = []
    #expect(Self.outcome(Self.compare(old, new)) == [.narrowed(.thumbnailLeftOut)])
    #expect(Self.outcome(Self.compare(new, old)) == [.widened])
    new.thumbnails = old.thumbnails
    new.thumbnails[0].name = "Grid"
    #expect(Self.compare(old, new).widenings.map(\.path) == ["$.thumbnails.Grid"])
  }

  @Test("Numbers in place of names narrow a labels file, or a template that told as much")
  func neutralLabels() throws {
    func manifest(_ key: String, _ value: String, where predicate: String? = nil) throws -> Manifest {
      var values = ManifestBuilder.base.merging(["labels." + key: value]) { $1 }
      values["sources.library.fetch.predicate"] = .some(predicate)
      return try ManifestBuilder.manifest(values)
    }
    let neutral = try manifest("neutral", "true")
    let before = try [
      manifest("file", #""labels.csv""#), manifest("template", #""{originalName}""#),
      manifest("template", #""{source} {number:3}""#), manifest("template", #""{source}""#),
    ]
    for (index, old) in before.enumerated() {
      let isNarrower = index < 3
      #expect(
        Self.outcome(Self.compare(old, neutral))
          == [isNarrower ? .narrowed(.labelsNeutral) : .widened]
      )
      #expect(Self.outcome(Self.compare(neutral, old)) == [.widened])
    }
    #expect(
      Self.compare(before[0], neutral).narrowings.map(\.path) == [
        "$.labels.file", "$.labels.neutral",
      ]
    )
    // Sidecars are read for a date in labels, and may keep their files out.
    let dated = #""{creationDate:yyyy-MM-dd} {number}""#
    #expect(
      Self.outcome(Self.compare(try manifest("template", dated), neutral))
        == [.narrowed(.labelsNeutral)]
    )
    let rated = #""rating != 5""#
    #expect(
      Self.outcome(
        try Self.compare(
          manifest("template", dated, where: rated),
          manifest("neutral", "true", where: rated)
        )
      ) == [.widened]
    )
  }

  @Test("What the labels file and the Info.plist bring counts too")
  func besides() throws {
    var manifest = try ManifestBuilder.manifest(ManifestBuilder.base)
    manifest.labels.file = "labels.csv"
    let comparison = ManifestKeys.comparison(
      old: Self.side(manifest, labels: "aa"),
      new: Self.side(manifest, labels: "bb")
    )
    #expect(comparison.widenings.map(\.path) == ["$.labels.file"])
    #expect(comparison.widenings.map(\.old) == [#""sha256:aa""#])
    let same = ManifestKeys.comparison(
      old: Self.side(manifest, labels: "aa"),
      new: Self.side(manifest, labels: "aa")
    )
    #expect(Self.outcome(same) == [.same])
    manifest.infoPlist = "Info.plist"
    let (brought, _) = manifest.merging(InfoPlist(usageDescriptions: [.microphone: .text("A")]))
    let (other, _) = manifest.merging(InfoPlist(usageDescriptions: [.microphone: .text("B")]))
    #expect(
      Self.compare(brought, other).widenings.map(\.path) == [
        "$.usageDescriptions.NSMicrophoneUsageDescription"
      ]
    )
    #expect(Self.outcome(Self.compare(brought, brought)) == [.same])
  }

  @Test("A relative path means another place in another folder, an absolute one does not")
  func folders() throws {
    var manifest = try ManifestBuilder.manifest(ManifestBuilder.base)
    manifest.sources[.camera]?.path = "/media/DCIM"
    let comparison = ManifestKeys.comparison(
      old: Self.side(manifest, "/srv/a"),
      new: Self.side(manifest, "/srv/b")
    )
    #expect(
      comparison.widenings.map(\.path) == [
        "$.sources.library.path", "$.sources.microphone.path", "$.output.path",
      ]
    )
    #expect(comparison.widenings.first?.old == #""/srv/a/media/Photos""#)
    #expect(comparison.widenings.first?.new == #""/srv/b/media/Photos""#)
    #expect(comparison.narrowings.isEmpty)
  }

  @Test("Where values stand in the file means nothing")
  func positions() throws {
    let text = #"{"version":1,"client":{"identifier":"a"},"sources":{},"output":{"path":"L"}}"#
    let spread = text.replacing(",", with: ",\n\n ")
    let old = try #require(ManifestReader.read(Array(text.utf8)).manifest)
    let new = try #require(ManifestReader.read(Array(spread.utf8)).manifest)
    #expect(old != new)
    #expect(Self.outcome(Self.compare(old, new)) == [.same])
  }

  @Test("Texts are escaped and cut, whatever a manifest has")
  func escaped() throws {
    let old = try ManifestBuilder.manifest(ManifestBuilder.base)
    var new = old
    new.client.name = "\u{1B}[2J\u{202E}\n" + String(repeating: "x", count: 600)
    new.output = "a\u{1B}b"
    for difference in Self.compare(old, new).widenings {
      let line = "\(difference.path) \(difference.new ?? "") \(difference.sentence)"
      #expect(line.unicodeScalars.allSatisfy(EscapedText.isPrintable))
      #expect(line.utf8.count < 800)
    }
  }

  @Test("Twenty thousand picked files against as many patterns are compared in seconds")
  func largeSelections() throws {
    func patterns(_ names: (Int) -> String) throws -> [SelectionPattern] {
      try (0..<20_000).map { try SelectionPattern(names($0)) }
    }
    var old = try ManifestBuilder.manifest(ManifestBuilder.base)
    var new = old
    old.sources[.library]?.selection = try patterns { "\($0)*.jpg" }
    new.sources[.library]?.selection = try patterns { "\($0)a.jpg" }
    let comparison = Self.compare(old, new)
    #expect(comparison.widenings.count == 20_000)
    #expect(comparison.narrowings.count == 20_000)
  }

  @Test("Of two manifests that differ, going one way or the other is widened")
  func oneWay() throws {
    var generator = SeededGenerator()
    var values: [String: [String?]] = [:]
    for change in KeyChange.all { values[change.key, default: []] += [change.old, change.new] }
    // Written in two ways, these mean the same file.
    values["sources.library.selection"] = [nil, #"["a*"]"#, #"["a1", "b"]"#, #"["b"]"#]
    values["sources.library.authorizationStatus"] = [#""limited""#, #""denied""#, nil]
    let nested = values.keys.filter { $0.hasPrefix("sources.library.authorizationStatus.") }
    for key in nested { values[key] = nil }
    func random() throws -> Manifest {
      var chosen = ManifestBuilder.base
      for key in values.keys.sorted() where Bool.random(using: &generator) {
        chosen[key] = values[key]?.randomElement(using: &generator) ?? nil
      }
      for key in ["client.identifier", "output.path", "thumbnails.*.size"] {
        chosen[key] = values[key]?.compactMap { $0 }.randomElement(using: &generator)
      }
      // What may not stand beside each other.
      for path in [""] + SourceKind.allCases.map({ "sources.\($0.rawValue)." })
      where chosen[path + "metadata.policy"] == #""keep""# {
        chosen[path + "metadata.except"] = .some(nil)
      }
      for path in ["infoPlist", "labels.file", "places.data"] {
        let keys = [path + ".file", path + ".sha256"]
        if keys.contains(where: { chosen[$0].flatMap { $0 } == nil }) {
          for key in keys { chosen[key] = .some(nil) }
        } else {
          chosen[path] = .some(nil)
        }
      }
      if ["labels.file", "labels.file.file", "labels.template"].contains(where: {
        chosen[$0].flatMap { $0 } != nil
      }) {
        chosen["labels.neutral"] = .some(nil)
      }
      if chosen["sources.library.fetch.fetchLimit"].flatMap({ $0 }) != nil {
        for key in ["includeHiddenAssets", "includePartnerSharing", "includeAllBurstAssets"] {
          chosen["sources.library.fetch." + key] = .some(nil)
        }
      }
      for path in ["sources.camera.", "sources.library."] where chosen[path + "kind"] == #""ptp""# {
        chosen[path + "path"] = #""usb:""#
        for key in chosen.keys where key.hasPrefix("sources.library.pick") {
          chosen[key] = .some(nil)
        }
        chosen["sources.camera.capture.savesCapturedPhotosToPhotoLibrary"] = .some(nil)
      }
      if chosen["thumbnails.*.format"] == #""webp""# {
        chosen["thumbnails.*.background"] = .some(nil)
      }
      return try ManifestBuilder.manifest(chosen)
    }
    var different = 0
    for _ in 0..<300 {
      let (old, new) = (try random(), try random())
      let (forward, backward) = (Self.compare(old, new), Self.compare(new, old))
      let isSame = Self.outcome(forward) == [.same]
      #expect(isSame == (Self.outcome(backward) == [.same]))
      if isSame { continue }
      different += 1
      #expect(!(forward.widenings.isEmpty && backward.widenings.isEmpty))
    }
    #expect(different > 250)
  }
}
