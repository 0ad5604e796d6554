package import MediaModel

/// The dates of one file by all that may tell them, and the choice among them.
///
/// The order is: what a person states of the file, a date of the capture in its sidecar if the rules say so, the file's
/// own metadata, those of its sidecar, its name, the time of its last modification; a movie's header that says a time
/// before 1970 comes behind the name. Of several, ``CaptureDate/best(of:)`` counts; of a year or a month, sidecar and
/// name tell more if they lie in it. A date without an offset gets that of another date of the file with the same local
/// time, otherwise one that the GPS time, or a name in UTC, implies; one in UTC gets the local time that the name states.
/// What then has no offset, or is UTC wherever the file was made, has those of the rules' time zone. A date that is not
/// plausible is passed over and noted.
struct DateCandidates {
  /// The dates that the file's own metadata state, in the order of the blocks that were read.
  var own: [CaptureDate]
  /// The GPS time as `yyyy-MM-ddTHH:mm:ss` in UTC.
  var locationTime: String?
  /// What a person states of the file.
  var about: CaptureDate?
  /// The dates of the sidecar, in its order.
  var sidecar: [CaptureDate] = []
  /// The file's name; bytes.
  var name: [UInt8]
  /// The duration of a film or a sound in milliseconds: some phones write the end into its header.
  var durationMilliseconds: Int?
  /// The time of the last modification in nanoseconds since 1970.
  var modified: Int64
  /// The time at which the asset is saved in microseconds since 1970; no date is later.
  var saved: Int64

  /// The seconds from 1826-01-01, the year of the oldest photograph, to 1970.
  private static let earliest = -4_544_208_000
  /// A clock may be set for any time zone, and a local time has no offset: a day is allowed.
  private static let daySeconds = 86_400

  /// Chooses the first date by the rules, and corrects it.
  ///
  /// - Parameters:
  ///   - rules: The rules.
  ///   - shift: By how many seconds the clock was wrong that gave a date; nil if it was right. A shift to a
  ///     date that is not plausible is left out, and noted.
  /// - Returns: The date, as it was stated and corrected.
  func chosen(
    _ rules: DateRules,
    shift: (CaptureDate) -> Int? = { _ in nil }
  ) -> Choice {
    let (stated, implausible) = stated(rules)
    guard let stated else { return Choice(implausibleTag: implausible) }
    var choice = corrected(stated, by: shift(stated), in: rules.timeZone)
    if let implausible { choice.implausibleTag = implausible }
    return choice
  }

  /// Corrects a date that the rules chose; of the candidates only the GPS time and the time of saving count.
  ///
  /// - Parameters:
  ///   - stated: The date before corrections.
  ///   - shift: By how many seconds its clock was wrong; nil if it was right.
  ///   - zone: The zone of its clock; nil if nobody has said it.
  /// - Returns: The date, as it was stated and corrected.
  func corrected(
    _ stated: CaptureDate,
    by shift: Int?,
    in zone: LocalTimeZone?
  ) -> Choice {
    var choice = Choice(date: stated, stated: stated)
    if let shift, !stated.isCoarse, !stated.isAbout {
      let shifted = completed(stated.shifted(by: shift))
      if isPlausible(shifted) {
        (choice.date, choice.shift) = (shifted, shift)
      } else {
        choice.implausibleTag = stated.ruleTag + CaptureDate.shiftTag
      }
    }
    if let zone { choice.date = choice.date?.local(in: zone) }
    return choice
  }

  /// A date that the rules chose.
  struct Choice {
    /// The date, corrected; nil when no rule found one.
    var date: CaptureDate?
    /// The date before its clock was corrected and its time zone was asked.
    var stated: CaptureDate?
    /// The seconds that were added to it; nil if its clock is taken for right.
    var shift: Int?
    /// The tag of the first date that was passed over since it is not plausible; nil if none was.
    var implausibleTag: String?
  }

  /// Returns a date of a corrected clock with the offset that the GPS time implies by the corrected time.
  private func completed(_ date: CaptureDate) -> CaptureDate {
    var rule = date.ruleTag
    let isFixed = rule.hasSuffix(Self.fixTag)
    guard isFixed || date.offsetMinutes == nil, date.isOwn, !date.isDateOnly,
      let local = CivilDate.seconds(date.local), let time = locationTime.flatMap(CivilDate.seconds)
    else { return date }
    if isFixed { rule.removeLast(Self.fixTag.utf8.count) }
    var date = date
    date.offsetMinutes = Self.match(local, time)?.minutes
    date.tag = rule + (date.offsetMinutes == nil ? "" : Self.fixTag) + CaptureDate.shiftTag
    return date
  }

  /// The end of the tag of a date whose offset the GPS time implies.
  static let fixTag = "+GPSTimeStamp"

  /// Returns the first date by the rules, before corrections.
  private func stated(_ rules: DateRules) -> (date: CaptureDate?, implausibleTag: String?) {
    var implausibleTag: String?
    let plausible = { (dates: [CaptureDate]) in
      dates.filter { date in
        let isPlausible = self.isPlausible(date)
        if !isPlausible, implausibleTag == nil { implausibleTag = date.tag }
        return isPlausible
      }
    }
    let own = plausible(own)
    let isFirst = own.contains { !$0.mayCountFrom1970 }
    let named = rules.fromName ? FileNameDate.date(of: name) : nil
    let byName = [named].compactMap { $0 }
    if let about, let date = plausible([about]).first {
      let others = own + plausible(self.sidecar + byName)
      let within = CaptureDate.best(of: others.filter { date.isRefined(by: $0) })
      return (within.map { completed($0, by: own, named) } ?? date, implausibleTag)
    }
    let sidecar = isFirst && !rules.sidecarFirst ? [] : plausible(sidecar)
    if rules.sidecarFirst, let date = corrected(sidecar, own) {
      return (completed(date, by: own, named), implausibleTag)
    }
    if isFirst, let date = CaptureDate.best(of: own) {
      if date.isFactoryClock, let named = plausible(byName).first,
        named.local.prefix(10) != date.local.prefix(10)
      {
        return (named, implausibleTag)
      }
      if let captured = captured(ofScan: date) { return (refined(captured, by: named), implausibleTag) }
      let others = date.isCoarse ? plausible(self.sidecar + byName) : []
      let refined = others.first { date.isRefined(by: $0) }
      return (refined ?? completed(date, by: own, named), implausibleTag)
    }
    if let date = CaptureDate.best(of: sidecar) {
      return (date.isCoarse ? refined(date, by: named) : withLocalTime(date, of: named), implausibleTag)
    }
    if let date = plausible(byName).first { return (date, implausibleTag) }
    if let date = CaptureDate.best(of: own) { return (date, implausibleTag) }
    if rules.fromModification {
      let time = CalendarTime(microsecondsSince1970: modified / 1000).timestamp
      let date = CaptureDate(
        local: String(time.prefix(19)),
        offsetMinutes: 0,
        tag: CaptureDate.modificationTag
      )
      return (plausible([date]).first, implausibleTag)
    }
    return (nil, implausibleTag)
  }

  /// The year or the month of the capture that a sidecar states of a file with a date of digitizing that lies outside of
  /// it, which is that of the scan; nil for another file.
  private func captured(ofScan digitizing: CaptureDate) -> CaptureDate? {
    guard digitizing.kind == .digitizing else { return nil }
    let stated = CaptureDate.best(of: sidecar.filter { $0.isCorrection && isPlausible($0) })
    return stated.flatMap { $0.isCoarse && !$0.isRefined(by: digitizing) ? $0 : nil }
  }

  /// Returns the date in a file's name, if it tells the rest of a year or a month; else the year or the month.
  private func refined(_ date: CaptureDate, by named: CaptureDate?) -> CaptureDate {
    named.flatMap { date.isRefined(by: $0) && isPlausible($0) ? $0 : nil } ?? date
  }

  /// The date of the capture in a sidecar with which a person corrects those of the file; nil without one, and
  /// where it is the day alone of a date that the file has with its time.
  private func corrected(_ sidecar: [CaptureDate], _ own: [CaptureDate]) -> CaptureDate? {
    guard let date = CaptureDate.best(of: sidecar.filter(\.isCorrection)) else { return nil }
    let isKnown = date.isDateOnly && own.contains { $0 != date && $0.local.hasPrefix(date.local) }
    return isKnown ? nil : date
  }

  private func isPlausible(_ date: CaptureDate) -> Bool {
    guard let seconds = CivilDate.seconds(date.local) else { return false }
    return seconds >= Self.earliest
      && seconds - 60 * (date.offsetMinutes ?? 0) <= Int(saved / 1_000_000) + Self.daySeconds
  }

  private func completed(
    _ date: CaptureDate,
    by dates: [CaptureDate],
    _ named: CaptureDate?
  ) -> CaptureDate {
    guard date.offsetMinutes == nil, !date.isDateOnly else {
      return withLocalTime(date, of: named)
    }
    var date = date
    // UTC in a movie's header is no statement about the zone of a local time that equals it.
    let same = dates.first {
      $0.local == date.local && $0.offsetMinutes != nil && !$0.isUniversal
    }
    if let same {
      date.offsetMinutes = same.offsetMinutes
      date.tag += "+" + same.tag
    } else if let local = CivilDate.seconds(date.local) {
      if let time = locationTime.flatMap(CivilDate.seconds), let match = Self.match(local, time) {
        date.offsetMinutes = match.minutes
        date.tag += Self.fixTag
      } else if let named, named.offsetMinutes == 0, let time = CivilDate.seconds(named.local),
        let match = Self.match(local, time)
      {
        date.offsetMinutes = match.minutes
        date.tag += "+" + CaptureDate.nameTag
      }
    }
    return date
  }

  /// Returns a date that is UTC wherever the file was made as the local time that the file's name states, if
  /// both are of the same moment; any other date as it is.
  ///
  /// The moment is the stated one, or that minus the duration if it is nearer to the name.
  private func withLocalTime(_ date: CaptureDate, of named: CaptureDate?) -> CaptureDate {
    guard date.isUniversal, date.offsetMinutes == 0, let named, named.offsetMinutes == nil,
      !named.isDateOnly, let local = CivilDate.seconds(named.local),
      let stated = CivilDate.seconds(date.local)
    else { return date }
    let seconds = durationMilliseconds.map { ($0 + 500) / 1000 } ?? 0
    let matches = [stated, stated - seconds].compactMap { moment in
      Self.match(local, moment).map { (moment: moment, minutes: $0.minutes, apart: $0.apart) }
    }
    // Of two that are equally near, this is the first, which is stated.
    guard let match = matches.min(by: { $0.apart < $1.apart }),
      let text = CivilDate.local(seconds: match.moment + 60 * match.minutes)
    else { return date }
    var date = date
    (date.local, date.offsetMinutes) = (text, match.minutes)
    date.tag += "+" + CaptureDate.nameTag
    return date
  }

  /// Returns the offset from UTC that is in use somewhere on Earth and by which a local time is a moment in
  /// UTC, and how many seconds they are apart then: at most 5 minutes, since a GPS fix may be older than the
  /// picture, and a header is written when a film begins or ends. Both times are in seconds since 1970.
  private static func match(_ local: Int, _ universal: Int) -> (minutes: Int, apart: Int)? {
    let difference = local - universal
    let quarters = (Double(difference) / 900).rounded()
    guard abs(quarters) <= 64 else { return nil }
    let minutes = Int(quarters) * 15
    let apart = abs(difference - minutes * 60)
    return apart <= 300 && isInUse(minutes) ? (minutes, apart) : nil
  }

  /// Returns whether an offset from UTC is, or was after 1972, the legal time of a place.
  ///
  /// Source: the IANA time zone database.
  private static func isInUse(_ minutes: Int) -> Bool {
    switch minutes % 60 {
    case 0: (-720...840).contains(minutes)
    case 30, -30:
      [-570, -210, -150, 210, 270, 330, 390, 510, 570, 630, 690].contains(minutes)
    default: [345, 525, 765, 825].contains(minutes)
    }
  }
}

extension CaptureDate {
  /// Returns the local time of a zone with its offset, for a date whose offset is not known, or which is UTC
  /// wherever the file was made; any other date, and a day alone, as it is.
  package func local(in zone: LocalTimeZone) -> CaptureDate {
    guard !isDateOnly, let seconds = CivilDate.seconds(local) else { return self }
    var date = self
    let rule = ruleTag[...]
    if offsetMinutes == nil {
      date.offsetMinutes = zone.offset(ofLocal: seconds)
    } else if offsetMinutes == 0,
      Self.isUniversal(rule) || rule == Self.nameTag || rule == Self.modificationTag
    {
      let minutes = zone.offset(at: seconds)
      guard let local = CivilDate.local(seconds: seconds + 60 * minutes) else { return self }
      (date.local, date.offsetMinutes) = (local, minutes)
    } else {
      return self
    }
    date.tag += Self.timeZoneTag
    return date
  }

  /// Whether a person states by it, in a sidecar, when the picture was taken. The JSON of Google Takeout repeats
  /// the file's own date mostly, and `xmp:CreateDate` may be that of the sidecar.
  var isCorrection: Bool {
    ["exif:DateTimeOriginal", "photoshop:DateCreated"].contains(Self.withoutPrefix(tag[...]))
  }

  /// Whether it is the time of a movie's header before 1970. Some programs count that time from 1970 and
  /// not from 1904, and what they wrote since 2011 reads as 1945 and later.
  ///
  /// Source: exiftool `QuickTime.pm`, which warns of an "incorrect time zero".
  var mayCountFrom1970: Bool { tag == "mvhd" && local < "1970" }

  /// Whether a camera that lost its clock says this: a day on which clocks of cameras begin, within a minute
  /// of midnight or noon, in a field that cameras write.
  ///
  /// Source: 1 January of the epoch from which a clock counts (1970, 1978, 1980), or of the year in which the
  /// camera was made; Android 2 to 6 wrote noon of 8 December 2002 (mapillary/mapillary_issues#2438).
  var isFactoryClock: Bool {
    let day = local.prefix(10)
    guard Self.tagsOfClocks.contains(tag), !isDateOnly,
      ["00:00", "12:00"].contains(local.dropFirst(11).prefix(5))
    else { return false }
    if day == "2002-12-08" { return true }
    guard day.hasSuffix("-01-01"), let year = Int(day.prefix(4)) else { return false }
    return [1970, 1978, 1980].contains(year) || (1994...2020).contains(year)
  }
}
