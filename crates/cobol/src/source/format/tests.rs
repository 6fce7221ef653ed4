use super::*;

fn read(text: &str, format: Format) -> Vec<LogicalLine> {
    let lines: Arc<[Box<str>]> = text.lines().map(Into::into).collect();
    let (mut reader, mut diagnostics, mut all) = (LineReader::new(lines, 0, format), Diagnostics::default(), Vec::new());
    while let Some(line) = reader.next_line(&mut diagnostics) {
        all.push(line);
    }
    all
}

fn text(line: &LogicalLine) -> String {
    line.characters.iter().collect()
}

#[test]
fn areas_and_kinds() {
    let lines = read("       PARA.\n           MOVE A\n      D    DISPLAY A\n       >>IF X DEFINED\n      $IF X\n", Format::Fixed);
    let kinds: Vec<_> = lines.iter().map(|line| (line.kind, line.area_a)).collect();
    use LineKind::*;
    assert_eq!(kinds, [(Code, true), (Code, false), (Debug, false), (Directive, true), (Directive, true)]);
    assert_eq!(text(&read(">>D DISPLAY A\n", Format::Free)[0]), "DISPLAY A");
}

#[test]
fn places_follow_continuations() {
    let lines = read("       MOVE VERY-\n      -    LONG TO X\n", Format::Fixed);
    assert_eq!(text(&lines[0]), "MOVE VERY-LONG TO X");
    assert_eq!(lines[0].place(0), (1, 8));
    assert_eq!(lines[0].place(9), (1, 17));
    assert_eq!(lines[0].place(10), (2, 12));
    assert_eq!(lines[0].place(18), (2, 20));
}

#[test]
fn column_72_is_the_last() {
    let line = format!("       {}ABC", " ".repeat(63));
    assert_eq!(text(&read(&line, Format::Fixed)[0]), "AB");
}

#[test]
fn the_format_is_told_from_the_text() {
    let detect = |text: &str| super::detect(&text.lines().map(Into::into).collect::<Vec<Box<str>>>());
    assert_eq!(detect("000100 IDENTIFICATION DIVISION.\n"), Some(Format::Fixed));
    assert_eq!(detect("      * x\n       ID DIVISION.\n"), Some(Format::Fixed));
    assert_eq!(detect("IDENTIFICATION DIVISION.\nPROGRAM-ID. X.\n"), Some(Format::Free));
    assert_eq!(detect("  move a to b\n"), Some(Format::Free));
    assert_eq!(detect("           MOVE A TO B\n"), None);
    assert_eq!(detect(""), None);
}
