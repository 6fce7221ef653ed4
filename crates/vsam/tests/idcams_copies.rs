//! IDCAMS REPRO, PRINT, EXPORT and IMPORT: what is copied, and what is refused.

mod idcams_support;

use vsam::idcams::{DdTarget, RecordFormat};
use vsam::*;

use idcams_support::{DEFINE, Job, customers, ebcdic};

#[test]
fn repro_ranges_replace_and_errors() {
    let mut job = Job::new();
    customers(&mut job, 50);
    job.expect(DEFINE, 0);
    job.expect(" REPRO INFILE(IN) OUTFILE(CUST) SKIP(10) COUNT(20)\n", 0);
    let duplicate = job.expect(" REPRO INFILE(IN) OUTFILE(CUST)\n", 12);
    assert!(duplicate.contains("IDC3308I ** DUPLICATE RECORD") && duplicate.contains("IDC31467I"));
    assert!(duplicate.contains("IDC0005I NUMBER OF RECORDS PROCESSED WAS 10"));
    let replaced = job.expect(" REPRO INFILE(IN) OUTFILE(CUST) REPLACE\n", 0);
    assert!(replaced.contains("IDC0005I NUMBER OF RECORDS PROCESSED WAS 50"));
    job.dd_file("OUT", RecordFormat::Variable, None);
    job.expect(" REPRO INFILE(CUST) OUTFILE(OUT) FROMKEY(0005) TOKEY('0007')\n", 0);
    let out = std::fs::read(job.path("OUT")).unwrap();
    assert_eq!(out.len(), 3 * 14);
    assert_eq!(out[..4], [0, 14, 0, 0]);
    assert_eq!(out[4..14], ebcdic("000502NAME"));
    job.dd_file("TXT", RecordFormat::Text, None);
    job.expect(" REPRO IDS(BANK.CUST.PATH) OFILE(TXT) FKEY(01) COUNT(2)\n", 0);
    assert_eq!(std::fs::read_to_string(job.path("TXT")).unwrap(), "001001NAME\n001301NAME\n");
    job.dd_file("BAD", RecordFormat::Fixed(10), Some(&ebcdic("000300AAAA000200BBBB")));
    job.expect(" DELETE BANK.CUST\n", 0);
    job.expect(" DEFINE CLUSTER (NAME(BANK.CUST) KEYS(4 0) RECSZ(10 10) TRK(5 5) REUSE)\n", 0);
    let sequence = job.expect(" REPRO INFILE(BAD) OUTFILE(CUST)\n", 8);
    assert!(sequence.contains("IDC3314I ** RECORD OUT OF SEQUENCE - KEY OF RECORD - 0002") && sequence.contains("WAS 1"), "{sequence}");
    job.expect(" REPRO INFILE(IN) OUTFILE(CUST) REUSE\n", 0);
    let listing = job.expect(" PRINT IDS(BANK.CUST) CHARACTER SKIP(49)\n", 0);
    assert!(listing.contains("KEY OF RECORD - 0049\n004901NAME\n"), "{listing}");
}

#[test]
fn an_alternate_index_is_printed_and_copied() {
    let mut job = Job::new();
    customers(&mut job, 6);
    job.expect(DEFINE, 0);
    job.expect(" REPRO INFILE(IN) OUTFILE(CUST)\n", 0);
    let listing = job.expect(" PRINT IDS(BANK.CUST.AIX) HEX COUNT(1)\n", 0);
    // Flag, length of a pointer, number of pointers, length of the alternate key, alternate key, pointers.
    assert!(listing.contains("00040002"), "{listing}");
    job.dd_file("OUT", RecordFormat::Variable, None);
    let listing = job.expect(" REPRO IDS(BANK.CUST.AIX) OUTFILE(OUT)\n", 0);
    assert!(listing.contains("NUMBER OF RECORDS PROCESSED WAS"), "{listing}");
    assert!(!listing.contains("PROCESSED WAS 0\n"), "{listing}");
    // It changes with its base only.
    job.expect(" REPRO INFILE(IN) ODS(BANK.CUST.AIX)\n", 12);
}

#[test]
fn esds_and_rrds_load_and_print() {
    let mut job = Job::new();
    job.dd_file("IN", RecordFormat::Text, Some(b"FIRST\nSECOND RECORD\n"));
    job.expect(" DEF CL (NAME(LOG.E) NIXD RECSZ(20 50) TRK(1 1) CISZ(512) REUSE) DATA(NAME(LOG.E.D))\n", 0);
    job.expect(" DEF CL (NAME(SLOT.R) NUMBERED RECSZ(20,20) TRK(1 1))\n", 0);
    job.expect(" REPRO INFILE(IN) ODS(LOG.E)\n REPRO INFILE(IN) ODS(SLOT.R)\n", 0);
    let listing = job.expect(" PRINT IDS(LOG.E)\n", 0);
    assert!(listing.contains("RBA OF RECORD - 5\n"), "{listing}");
    assert!(listing.contains("000000  E2C5C3D6 D5C440D9 C5C3D6D9 C4"), "{listing}");
    let listing = job.expect(" PRINT IDS(SLOT.R) CHAR\n", 0);
    assert!(listing.contains("RELATIVE RECORD NUMBER - 2\nSECOND RECORD\n"), "{listing}");
    job.expect(" VERIFY DATASET(LOG.E)\n EXAMINE NAME(SLOT.R)\n", 0);
}

#[test]
fn export_and_import() {
    let mut job = Job::new();
    customers(&mut job, 30);
    job.expect(DEFINE, 0);
    job.expect(" REPRO INFILE(IN) OUTFILE(CUST)\n", 0);
    job.dd_file("PORT", RecordFormat::Variable, None);
    job.expect(" EXPORT BANK.CUST OUTFILE(PORT)\n", 0);
    assert!(job.data_sets.catalog().get("BANK.CUST").unwrap().is_none());
    job.expect(" IMPORT INFILE(PORT) OUTDATASET(COPY.CUST)\n", 0);
    let listing = job.expect(" LISTCAT ENT(COPY.CUST) ALL\n", 0);
    assert!(listing.contains("REC-TOTAL-------------30"), "{listing}");
}

#[test]
fn a_portable_data_set_has_numbers_long_records_paths_and_indexes() {
    let mut job = Job::new();
    job.dd_file("PORT", RecordFormat::Variable, None);
    // Numbers of an RRDS with gaps.
    job.expect(" DEFINE CLUSTER (NAME(N.BASE) NUMD RECSZ(4 4) TRK(1))\n DEFINE CLUSTER (NAME(N.TO) NUMD RECSZ(4 4) TRK(1))\n", 0);
    let write = |name: &str, numbers: &[u32]| {
        let file = job.data_sets.open(name, OpenOptions::default()).unwrap();
        let unit = job.data_sets.store().begin();
        let waiter = ThreadWaiter::new();
        for number in numbers {
            file.write(&unit, Some(RecordId::Rrn(*number)), &ebcdic(&format!("{number:04}")), false, LockWait::forever(&waiter)).unwrap();
        }
        unit.commit(&waiter).unwrap();
    };
    write("N.BASE", &[3, 7, 500]);
    let listing = job.expect(" EXPORT N.BASE OFILE(PORT) TEMP\n IMPORT IFILE(PORT) ODS(N.BACK)\n PRINT IDS(N.BACK) CHAR\n", 0);
    for number in [3, 7, 500] {
        assert!(listing.contains(&format!("RELATIVE RECORD NUMBER - {number}\n{number:04}\n")), "{listing}");
    }
    // A copied part also keeps its numbers, into an empty data set and into one with records.
    write("N.TO", &[7]);
    let listing = job.expect(" REPRO IDS(N.BASE) ODS(N.TO) FNUM(7)\n PRINT IDS(N.TO) CHAR\n", 8);
    assert!(listing.contains("DUPLICATE RECORD") && listing.contains("RELATIVE RECORD NUMBER - 500"), "{listing}");
    // The missing last bytes of a portable data set are noticed.
    let path = job.path("PORT");
    let whole = std::fs::read(&path).unwrap();
    std::fs::write(&path, &whole[..whole.len() - 13]).unwrap();
    let listing = job.expect(" IMPORT IFILE(PORT) ODS(N.TORN)\n", 12);
    assert!(listing.contains("NOT WHOLE") && job.data_sets.catalog().get("N.TORN").unwrap().is_none(), "{listing}");
    // Spanned records, longer than a descriptor word can express.
    job.expect(" DEFINE CLUSTER (NAME(S.BASE) NIXD SPND RECSZ(100 200000) CYL(1))\n", 0);
    let record: Vec<u8> = (0..150_001u32).map(|n| (n % 253) as u8).collect();
    {
        let file = job.data_sets.open("S.BASE", OpenOptions::default()).unwrap();
        let unit = job.data_sets.store().begin();
        let waiter = ThreadWaiter::new();
        file.write(&unit, None, &record, false, LockWait::forever(&waiter)).unwrap();
        unit.commit(&waiter).unwrap();
    }
    job.expect(" EXPORT S.BASE OFILE(PORT)\n IMPORT IFILE(PORT) ODS(S.BASE)\n", 0);
    let file = job.data_sets.open("S.BASE", OpenOptions::default()).unwrap();
    let unit = job.data_sets.store().begin();
    let mut back = Vec::new();
    file.read(&unit, RecordId::Rba(0), Search::EQUAL, &mut back).unwrap();
    assert!(back == record, "{} bytes came back", back.len());
}

#[test]
fn import_gives_new_names_and_defines_paths_and_indexes() {
    let mut job = Job::new();
    customers(&mut job, 30);
    job.expect(DEFINE, 0);
    job.dd_file("PORT", RecordFormat::Variable, None);
    job.dd_file("PORTX", RecordFormat::Variable, None);
    job.expect(" REPRO INFILE(IN) OUTFILE(CUST)\n EXPORT BANK.CUST.AIX OFILE(PORTX)\n DEFINE PATH (NAME(BANK.ALL) PENT(BANK.CUST))\n", 0);
    assert!(job.data_sets.catalog().get("BANK.CUST.PATH").unwrap().is_none());
    // The cluster with its path, under another name; then the index over the existing cluster, with its path.
    let objects = "((BANK.CUST NEWNAME(COPY.CUST) VOLUMES(V2)) (BANK.ALL NEWNAME(COPY.ALL)))";
    job.expect(&format!(" EXPORT BANK.CUST OFILE(PORT) TEMP\n IMPORT IFILE(PORT) ODS(BANK.CUST) OBJECTS {objects}\n"), 0);
    let listing = job.expect(" LISTCAT ENT(COPY.CUST) ALL\n PRINT IDS(COPY.ALL) CHAR COUNT(1)\n", 0);
    assert!(listing.contains("VOLSER----------------V2") && listing.contains("PATH-----COPY.ALL"), "{listing}");
    let listing = job.expect(" IMPORT IFILE(PORTX) ODS(BANK.CUST.AIX)\n PRINT IDS(BANK.CUST.PATH) CHAR\n", 0);
    assert!(listing.contains("IDC0005I NUMBER OF RECORDS PROCESSED WAS 30"), "{listing}");
    let listing = job.expect(" IMPORT IFILE(PORT) ODS(X.Y) OBJECTS((NO.SUCH NEWNAME(A.B)))\n", 12);
    assert!(listing.contains("NO.SUCH IS NOT IN THE PORTABLE DATA SET"), "{listing}");
    let listing = job.expect(" EXPORT BANK.CUST OFILE(PORT) TEMP INHIBITSOURCE\n", 4);
    assert!(listing.contains("INHIBITSOURCE HAS NO MEANING HERE"), "{listing}");
}

#[test]
fn a_data_set_is_not_copied_onto_itself() {
    let mut job = Job::new();
    customers(&mut job, 30);
    job.expect(DEFINE, 0);
    job.expect(" REPRO INFILE(IN) OUTFILE(CUST)\n DEFINE CLUSTER (NAME(LOG.ESDS) NIXD RECSZ(10 10) TRK(1) REUSE)\n", 0);
    job.expect(" REPRO IDS(BANK.CUST) ODS(LOG.ESDS)\n", 0);
    for copy in ["IDS(LOG.ESDS) ODS(LOG.ESDS)", "IDS(LOG.ESDS) ODS(LOG.ESDS) REUSE", "IDS(BANK.CUST.PATH) ODS(BANK.CUST) REPLACE"] {
        let listing = job.expect(&format!(" REPRO {copy}\n"), 12);
        assert!(listing.contains("IDC3351I ** VSAM OPEN RETURN CODE IS 168"), "{listing}");
    }
    assert!(job.expect(" REPRO IDS(LOG.ESDS) OUTFILE(NUL)\n", 12).contains("NUL"));
    assert!(job.expect(" PRINT IDS(LOG.ESDS) CHAR\n", 0).contains("PROCESSED WAS 30"));
}

#[test]
fn a_ksds_is_copied_by_address_and_a_linear_data_set_by_control_interval() {
    let mut job = Job::new();
    job.expect(" DEF CL (NAME(A.K) KEYS(4 0) RECSZ(10 1000) TRK(1 1) CISZ(2048))\n", 0);
    let records: Vec<u8> = (0..8u8).flat_map(|n| [ebcdic(&format!("{:04}", u32::from(n) * 10)), vec![n; 496]].concat()).collect();
    job.dd_file("IN", RecordFormat::Fixed(500), Some(&records));
    job.dd_file("OUT", RecordFormat::Fixed(500), None);
    job.expect(" REPRO INFILE(IN) ODS(A.K)\n", 0);
    // Four records fill a CI; one more in the first sends its upper half to the third: 0, 10 | 40 .. 70 | 15, 20, 30.
    let file = job.data_sets.open("A.K", OpenOptions::default()).unwrap();
    let unit = job.data_sets.store().begin();
    let waiter = ThreadWaiter::new();
    file.write(&unit, None, &[ebcdic("0015"), vec![9; 496]].concat(), false, LockWait::never(&waiter)).unwrap();
    drop((unit, file));
    let keys = |job: &Job| -> Vec<String> {
        let out = std::fs::read(job.path("OUT")).unwrap();
        out.chunks(500).map(|record| record[..4].iter().map(|byte| char::from(byte - 0xF0 + b'0')).collect()).collect()
    };
    job.expect(" REPRO IDS(A.K) OFILE(OUT) FROMADDRESS(2048)\n", 0);
    assert_eq!(keys(&job), ["0040", "0050", "0060", "0070", "0015", "0020", "0030"]);
    job.expect(" REPRO IDS(A.K) OFILE(OUT) FADDR(500) TADDR(2548)\n", 0);
    assert_eq!(keys(&job), ["0010", "0040", "0050"]);
    job.expect(" DEF CL (NAME(A.L) LINEAR TRK(1 1))\n", 0);
    job.dd_file("PAGES", RecordFormat::Fixed(4096), Some(&[1u8, 2, 3].map(|fill| [fill; 4096]).concat()));
    assert!(job.expect(" REPRO INFILE(PAGES) ODS(A.L)\n", 0).contains("WAS 3"));
    let listing = job.expect(" PRINT IDS(A.L) FADDR(4096) COUNT(1) HEX\n", 0);
    assert!(listing.contains("RBA OF RECORD - 4096\n02020202"), "{listing}");
}

#[test]
fn a_range_must_suit_the_data_set() {
    let mut job = Job::new();
    job.expect(DEFINE, 0);
    customers(&mut job, 20);
    let data_sets = "
  DEFINE CLUSTER (NAME(R.E) NONINDEXED RECSZ(10 10) TRK(1))
  DEFINE CLUSTER (NAME(R.N) NUMBERED RECSZ(10 10) TRK(1))
  REPRO INFILE(IN) OFILE(CUST)
  REPRO INFILE(IN) ODS(R.E)
  REPRO INFILE(IN) ODS(R.N)
";
    job.expect(data_sets, 0);
    let count = |name: &str, range: &str, code: u32| -> String {
        let listing = job.expect(&format!(" PRINT IDS({name}) {range} CHAR\n"), code);
        let line = listing.lines().rfind(|line| line.starts_with("IDC0005I") || line.starts_with("IDC3")).unwrap();
        line.trim_start_matches("IDC0005I NUMBER OF RECORDS PROCESSED WAS ").to_string()
    };
    // 20 records of 10 bytes: the fourth begins at 30, and no record begins at 35.
    for (name, range, expected) in [
        ("BANK.CUST", "FROMKEY(0015)", "5"),
        ("BANK.CUST", "FROMKEY(001*) TOKEY(0011)", "2"),
        ("BANK.CUST", "FROMADDRESS(30) TOADDRESS(59)", "3"),
        ("BANK.CUST.PATH", "FROMKEY(01)", "13"),
        ("R.E", "FROMADDRESS(X'000000000000001E') COUNT(2)", "2"),
        ("R.N", "FROMNUMBER(3) TONUMBER(5)", "3"),
    ] {
        assert_eq!(count(name, range, 0), expected, "{name} {range}");
    }
    for (name, range) in [("BANK.CUST", "FROMADDRESS(35)"), ("R.E", "FADDR(35)"), ("R.E", "FADDR(8589934592)")] {
        let listing = job.expect(&format!(" PRINT IDS({name}) {range}\n"), 12);
        assert!(listing.contains("VSAM (POINT) I/O RETURN CODE IS 32"), "{listing}");
    }
    for (name, range) in [
        ("BANK.CUST", "FROMNUMBER(2)"),
        ("BANK.CUST.PATH", "FROMADDRESS(0)"),
        ("R.E", "FROMKEY(0001)"),
        ("R.E", "TONUMBER(3)"),
        ("R.N", "FROMADDRESS(0)"),
        ("R.N", "TOKEY(1)"),
        ("BANK.CUST", "FROMKEY(00015)"),
        ("BANK.CUST", "TOKEY(X'F0F0F0F1F5')"),
    ] {
        let listing = job.expect(&format!(" PRINT IDS({name}) {range}\n"), 12);
        assert!(listing.contains("IDC3211I A RANGE OF") || listing.contains("IDC3203I A KEY OF 5 BYTES"), "{name} {range}: {listing}");
    }
}

#[test]
fn messages_name_files_as_they_are_written() {
    let mut job = Job::new();
    job.expect(DEFINE, 0);
    customers(&mut job, 3);
    job.dd_file("short", RecordFormat::Fixed(10), Some(&[0xF0; 25]));
    job.dds.insert("SHORT".into(), job.dds["short"].clone());
    job.dds.insert("NOWHERE".into(), DdTarget::File { path: "/no/Such/place".into(), format: RecordFormat::Text });
    let listing = job.expect(" REPRO INFILE(NOWHERE) OFILE(CUST)\n", 12);
    assert!(listing.contains("IDC3300I ERROR OPENING NOWHERE\nIDC3351I ** /no/Such/place: "), "{listing}");
    let listing = job.expect(" REPRO INFILE(SHORT) OFILE(CUST)\n", 12);
    assert!(
        listing.contains(&format!("IDC3351I ** {}: record 3: the file ends after 5 of 10 bytes", job.path("short").display())),
        "{listing}"
    );
    // OPEN with reset of a data set without REUSE.
    let listing = job.expect(" REPRO INFILE(IN) OFILE(CUST) REUSE\n", 12);
    assert!(listing.contains("IDC3300I ERROR OPENING CUST\nIDC3351I ** VSAM OPEN RETURN CODE IS 232"), "{listing}");
}

#[test]
fn blocks_of_variable_records_go_in_and_out() {
    let mut job = Job::new();
    job.expect(" DEFINE CLUSTER (NAME(B.E) NONINDEXED RECSZ(100 40000) SPANNED CYL(1))\n", 0);
    // Two blocks as a transfer of VB data sets leaves them: block and record descriptor words.
    let block = |records: &[&[u8]]| -> Vec<u8> {
        let word = |length: usize| [((length + 4) >> 8) as u8, (length + 4) as u8, 0, 0];
        let records: Vec<u8> = records.iter().flat_map(|record| [&word(record.len())[..], record].concat()).collect();
        [&word(records.len())[..], &records].concat()
    };
    let unload = [block(&[&[1; 3], &[2; 20_000]]), block(&[&[3; 1]])].concat();
    job.dd_file("IN", RecordFormat::Blocked, Some(&unload));
    job.dd_file("OUT", RecordFormat::Blocked, None);
    assert!(job.expect(" REPRO INFILE(IN) ODS(B.E)\n", 0).contains("PROCESSED WAS 3"));
    job.expect(" REPRO IDS(B.E) OFILE(OUT)\n", 0);
    assert!(std::fs::read(job.path("OUT")).unwrap() == block(&[&[1; 3], &[2; 20_000], &[3; 1]]));
}

#[test]
fn each_command_is_listed_before_its_results() {
    let job = Job::new();
    let listing = job.expect(" DELETE A.B\n /* one more */\n DELETE -\n  C.D\n", 8);
    let at = |text: &str| listing.find(text).unwrap_or_else(|| panic!("{text}: {listing}"));
    let order = [" DELETE A.B", "ENTRY A.B NOT DELETED", "  C.D", "ENTRY C.D NOT DELETED", "IDC0002I"].map(at);
    assert!(order.is_sorted(), "{listing}");
}

#[test]
fn a_full_device_ends_a_copy() {
    let mut job = Job::new();
    // More than is gathered before it is written: the device is full in the middle of the copy.
    job.dd_file("IN", RecordFormat::Fixed(30_000), Some(&[0xF0; 100 * 30_000]));
    job.dds.insert("FULL".into(), DdTarget::File { path: "/dev/full".into(), format: RecordFormat::Variable });
    let listing = job.expect(
        " DEFINE CLUSTER (NAME(F.E) NONINDEXED RECSZ(30000 30000) CYL(1))\n REPRO INFILE(IN) ODS(F.E)\n REPRO IDS(F.E) OFILE(FULL)\n",
        12,
    );
    let told = listing.matches("IDC3302I ACTION ERROR ON FULL\nIDC3351I ** /dev/full: No space left on device").count();
    assert_eq!((told, listing.contains("MAXIMUM ERROR LIMIT")), (1, false), "{listing}");
}

#[test]
fn verify_finds_the_end_of_an_interrupted_load() {
    let mut job = Job::new();
    job.expect(DEFINE, 0);
    customers(&mut job, 2000);
    job.expect(" REPRO INFILE(IN) OFILE(CUST)\n", 0);
    let of_data = |job: &Job| {
        let listing = job.expect(" LISTCAT ENT(BANK.CUST.DATA) ALL\n", 0);
        ["HI-U-RBA", "REC-TOTAL", "FREESPC-"].map(|field| listing.lines().find(|line| line.contains(field)).unwrap().to_string())
    };
    let whole = of_data(&job);
    // As a load leaves it that ended before its control intervals were written.
    let entry = job.data_sets.catalog().get("BANK.CUST").unwrap().unwrap();
    let map = job.data_sets.store().table(&format!("vsam.{}.ci", entry.attributes().unwrap().number)).unwrap();
    job.data_sets.store().clear_table(&map).unwrap();
    assert!(job.expect(" EXAMINE NAME(BANK.CUST)\n", 8).contains("CONTROL INTERVAL MAP"));
    let listing = job.expect(" VERIFY DATASET(BANK.CUST)\n EXAMINE NAME(BANK.CUST)\n", 0);
    assert!(listing.contains("IDC01700I INDEXTEST BEGINS\nIDC01724I INDEXTEST COMPLETE - NO ERRORS DETECTED\n"), "{listing}");
    assert!(!listing.contains("IDC01701I"), "{listing}");
    let listing = job.expect(" EXAMINE NAME(BANK.CUST) NOINDEXTEST DATATEST\n", 0);
    assert!(listing.contains("IDC01701I DATATEST BEGINS\nIDC01709I DATATEST COMPLETE - NO ERRORS DETECTED\nIDC01710I"), "{listing}");
    assert!(!listing.contains("IDC01700I"), "{listing}");
    assert_eq!(of_data(&job), whole);
}
