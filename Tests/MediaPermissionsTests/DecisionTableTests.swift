import MediaManifest
import MediaModel
import Testing

@testable import MediaPermissions

/// The whole small domain of one decision, with the expected row written out by hand.
@Suite("The decision table")
struct DecisionTableTests {
  struct Cell: CustomTestStringConvertible, Sendable {
    var source: SourceKind
    var status: AuthorizationStatus?
    var level: AccessLevel
    var row: Int
    var reason: DecisionReason
    var outcome: AccessDecisionOutcome

    var testDescription: String {
      "\(source) \(status?.name ?? "absent") \(level.name)"
    }
  }

  /// 3 sources × 6 statuses × 2 levels, with a usage description. Camera and microphone have one
  /// level; a plain status of the photo library is said of readWrite, and gives addOnly only when
  /// it allows.
  static let cells: [Cell] = {
    var cells: [Cell] = []
    func add(
      _ source: SourceKind,
      _ status: AuthorizationStatus?,
      _ level: AccessLevel,
      _ row: Int,
      _ reason: DecisionReason,
      _ outcome: AccessDecisionOutcome
    ) {
      cells.append(
        Cell(source: source, status: status, level: level, row: row, reason: reason, outcome: outcome)
      )
    }
    for source in [SourceKind.camera, .microphone] {
      for level in AccessLevel.allCases {
        add(source, nil, level, 8, .notDetermined, .stop(.undecided))
        add(source, .notDetermined, level, 8, .notDetermined, .stop(.undecided))
        add(source, .restricted, level, 3, .restricted, .refuse)
        add(source, .denied, level, 5, .denied, .refuse)
        add(source, .authorized, level, 12, .authorized, .proceed)
        add(source, .limited, level, 2, .limitedNotApplicable, .stop(.manifestMistake))
      }
    }
    add(.library, nil, .readWrite, 8, .notDetermined, .stop(.undecided))
    add(.library, .notDetermined, .readWrite, 8, .notDetermined, .stop(.undecided))
    add(.library, .restricted, .readWrite, 3, .restricted, .refuse)
    add(.library, .denied, .readWrite, 5, .denied, .refuse)
    add(.library, .authorized, .readWrite, 12, .authorized, .proceed)
    add(.library, .limited, .readWrite, 11, .limited, .proceed)
    add(.library, nil, .addOnly, 8, .notDetermined, .stop(.undecided))
    add(.library, .notDetermined, .addOnly, 8, .notDetermined, .stop(.undecided))
    add(.library, .restricted, .addOnly, 8, .notDetermined, .stop(.undecided))
    add(.library, .denied, .addOnly, 8, .notDetermined, .stop(.undecided))
    add(.library, .authorized, .addOnly, 12, .authorized, .proceed)
    add(.library, .limited, .addOnly, 12, .authorized, .proceed)
    return cells
  }()

  private func input(_ cell: Cell, _ description: UsageDescription?) -> AccessDecisionInput {
    AccessDecisionInput(
      source: cell.source,
      level: cell.level,
      usageDescription: description,
      manifest: cell.status.map { [.readWrite: StatusStatement($0)] } ?? [:]
    )
  }

  @Test("The table has every cell once")
  func complete() {
    #expect(Self.cells.count == 3 * 6 * 2)
    #expect(Set(Self.cells.map(\.testDescription)).count == 36)
  }

  @Test("With a usage description, each status decides by its row", arguments: cells)
  func withText(_ cell: Cell) {
    let decision = AccessDecision.decide(input(cell, .text("Why.")))
    #expect(decision.row == cell.row)
    #expect(decision.reason == cell.reason)
    #expect(decision.outcome == cell.outcome)
    #expect((decision.verdict == .allow) == (cell.outcome == .proceed))
  }

  @Test(
    "Without a usage description that says something, no status matters",
    arguments: cells,
    [nil, UsageDescription.text(""), .text(" \t\u{A0}"), .notAString]
  )
  func withoutText(_ cell: Cell, _ description: UsageDescription?) {
    #expect(
      AccessDecision.decide(input(cell, description))
        == AccessDecision(
          row: 1,
          verdict: .refuse,
          reason: .usageDescriptionMissing,
          outcome: .stop(.manifestMistake)
        )
    )
  }

  @Test("onNotDetermined answers where nobody has, and nowhere else", arguments: cells)
  func onNotDetermined(_ cell: Cell) {
    let isOpen = cell.row == 8
    for (policy, outcome) in [
      (NotDeterminedPolicy.ask, AccessDecisionOutcome.stop(.undecided)), (.fail, .stop(.undecided)),
      (.deny, .refuse),
    ] {
      var input = input(cell, .text("Why."))
      input.onNotDetermined = policy
      let decision = AccessDecision.decide(input)
      #expect(decision.row == cell.row)
      #expect(decision.outcome == (isOpen ? outcome : cell.outcome))
    }
  }

  @Test("Where there is a prompt, ask asks; fail and deny never do")
  func prompt() {
    for (policy, outcome) in [
      (NotDeterminedPolicy.ask, AccessDecisionOutcome.ask), (.fail, .stop(.undecided)),
      (.deny, .refuse),
    ] {
      let input = AccessDecisionInput(
        source: .camera,
        usageDescription: .text("Why."),
        onNotDetermined: policy,
        canPrompt: true
      )
      #expect(AccessDecision.decide(input).outcome == outcome)
    }
  }

  @Test("A folder that is not there matters only to what is allowed", arguments: cells)
  func unavailable(_ cell: Cell) {
    var input = input(cell, .text("Why."))
    input.availability = .unavailable
    let decision = AccessDecision.decide(input)
    if cell.outcome == .proceed {
      #expect(
        decision
          == AccessDecision(row: 9, verdict: .allow, reason: .unavailable, outcome: .notDone)
      )
    } else {
      #expect(decision.row == cell.row)
    }
  }
}

/// Rows that no manifest of version 1 reaches yet.
@Suite("Deciding beyond the manifest")
struct AccessDecisionTests {
  private func decide(
    _ source: SourceKind = .library,
    _ level: AccessLevel = .readWrite,
    manifest: [AccessLevel: StatusStatement] = [:],
    stored: [AccessLevel: StatusStatement] = [:],
    change: (inout AccessDecisionInput) -> Void = { _ in }
  ) -> String {
    var input = AccessDecisionInput(
      source: source,
      level: level,
      usageDescription: .text("Why."),
      manifest: manifest,
      stored: stored
    )
    change(&input)
    let decision = AccessDecision.decide(input)
    return "\(decision.row) \(decision.reason.rawValue) \(decision.outcome)"
  }

  private let authorized = [AccessLevel.readWrite: StatusStatement(.authorized)]
  private let denied = [AccessLevel.readWrite: StatusStatement(.denied)]

  @Test("A policy's denial passes over everything, picks included")
  func policy() {
    for source in SourceKind.allCases {
      for statements in [[:], authorized, denied] {
        let result = decide(source, manifest: statements, stored: statements) {
          $0.policyDenies = true
          $0.wasPicked = true
        }
        #expect(result == "3 restricted refuse")
      }
    }
  }

  @Test("Picking passes a denial, and no restriction")
  func picked() {
    #expect(decide(manifest: denied) { $0.wasPicked = true } == "4 picked proceed")
    #expect(decide(stored: denied) { $0.wasPicked = true } == "4 picked proceed")
    #expect(decide { $0.wasPicked = true } == "4 picked proceed")
    #expect(
      decide(manifest: [.readWrite: StatusStatement(.restricted)]) { $0.wasPicked = true }
        == "3 restricted refuse"
    )
  }

  @Test("A denial wins wherever it is said, and does not expire")
  func denial() {
    let expired = [AccessLevel.readWrite: StatusStatement(.denied, isExpired: true)]
    #expect(decide(manifest: authorized, stored: denied) == "5 denied refuse")
    #expect(decide(manifest: denied, stored: authorized) == "5 denied refuse")
    #expect(decide(manifest: authorized, stored: expired) == "5 denied refuse")
    #expect(decide(manifest: expired) == "5 denied refuse")
    #expect(decide(stored: [.readWrite: StatusStatement(.restricted)]) == "3 restricted refuse")
  }

  @Test("The manifest's status comes before the stored answer, which counts where it has none")
  func stored() {
    let limited = [AccessLevel.readWrite: StatusStatement(.limited)]
    let open = [AccessLevel.readWrite: StatusStatement(.notDetermined)]
    #expect(decide(manifest: limited, stored: authorized) == "11 limited proceed")
    #expect(decide(manifest: authorized, stored: limited) == "12 authorized proceed")
    #expect(decide(manifest: open, stored: authorized) == "12 authorized proceed")
    #expect(decide(stored: limited) == "11 limited proceed")
    #expect(
      decide(.camera, stored: limited)
        == "2 limitedNotApplicable stop(MediaModel.RunExitCode.manifestMistake)"
    )
  }

  @Test("What has expired is undecided and says that it expired")
  func expired() {
    let over = [AccessLevel.readWrite: StatusStatement(.authorized, isExpired: true)]
    let stop = "6 expired stop(MediaModel.RunExitCode.undecided)"
    #expect(decide(manifest: over) == stop)
    #expect(decide(stored: over) == stop)
    #expect(decide(manifest: over, stored: authorized) == stop)
    #expect(decide(manifest: over) { $0.onNotDetermined = .deny } == "6 expired refuse")
    #expect(decide(manifest: over) { $0.canPrompt = true } == "6 expired ask")
    #expect(decide(manifest: authorized, stored: over) == "12 authorized proceed")
    #expect(decide(.library, .addOnly, manifest: over) == stop)
  }

  @Test("Leave to add is no leave to read, and is not asked about")
  func levels() {
    let add = [AccessLevel.addOnly: StatusStatement(.authorized)]
    #expect(decide(manifest: add) == "7 levelInsufficient refuse")
    #expect(decide(stored: add) == "7 levelInsufficient refuse")
    #expect(decide(manifest: add) { $0.canPrompt = true } == "7 levelInsufficient refuse")
    #expect(decide(.library, .addOnly, manifest: add) == "12 authorized proceed")
    #expect(decide(manifest: add, stored: authorized) == "12 authorized proceed")
    #expect(
      decide(.library, .addOnly, manifest: [.addOnly: StatusStatement(.limited)])
        == "2 limitedNotApplicable stop(MediaModel.RunExitCode.manifestMistake)"
    )
    #expect(
      decide(
        .library,
        .addOnly,
        manifest: [.readWrite: StatusStatement(.authorized), .addOnly: StatusStatement(.denied)]
      )
        == "5 denied refuse"
    )
  }

  @Test("A word that is no status stops, and only a usage description comes before it")
  func unknownWord() {
    let stop = "2 manifestMistake stop(MediaModel.RunExitCode.manifestMistake)"
    #expect(decide { $0.hasUnknownStatusWord = true } == stop)
    #expect(
      decide {
        $0.hasUnknownStatusWord = true
        $0.policyDenies = true
      } == stop
    )
    #expect(
      decide {
        $0.hasUnknownStatusWord = true
        $0.usageDescription = nil
      }.hasPrefix("1 ")
    )
  }

  @Test("Every reason of the table is reached by some input")
  func everyRow() {
    var rows: Set<Int> = []
    let statuses = AuthorizationStatus.allCases.flatMap {
      [StatusStatement($0), StatusStatement($0, isExpired: true)]
    }
    for source in SourceKind.allCases {
      for level in AccessLevel.allCases {
        for manifest in statuses {
          for stored in statuses {
            for flags in 0..<32 {
              let decision = AccessDecision.decide(
                AccessDecisionInput(
                  source: source,
                  level: level,
                  usageDescription: flags & 1 == 0 ? .text("Why.") : nil,
                  manifest: [flags & 2 == 0 ? .readWrite : .addOnly: manifest],
                  stored: [.readWrite: stored],
                  policyDenies: flags & 4 != 0,
                  wasPicked: flags & 8 != 0,
                  availability: flags & 16 == 0 ? .available : .unavailable
                )
              )
              rows.insert(decision.row)
              // Nothing is read without a reason that says why, nor after anybody's denial.
              if decision.outcome == .proceed {
                #expect(flags & 1 == 0 && flags & 4 == 0)
                #expect(
                  stored.status != .denied || flags & 8 != 0
                    || (source == .library && level == .addOnly)
                )
              }
            }
          }
        }
      }
    }
    #expect(rows == Set(1...12).subtracting([10]))
  }
}
