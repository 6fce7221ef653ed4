//! Jobs as the MVS JCL Reference describes them.

use super::*;

/// Members by name.
#[derive(Default)]
struct Table(Vec<(&'static str, &'static str)>);

impl Members for Table {
    fn find(&self, name: &str, _libraries: &[String]) -> Option<(PathBuf, String)> {
        let (name, text) = self.0.iter().find(|(member, _)| *member == name)?;
        Some((PathBuf::from(name), text.to_string()))
    }
}

fn jobs(text: &str, given: &[(&str, &str)], members: &[(&'static str, &'static str)]) -> Vec<Job> {
    let given = given.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
    match parse(text, &given, &Table(members.to_vec())) {
        Content::Jobs(jobs) => jobs,
        Content::Procedure => panic!("a procedure, not a job"),
    }
}

fn job(text: &str, given: &[(&str, &str)]) -> Job {
    jobs(text, given, &[]).remove(0)
}

#[test]
fn steps_dds_and_in_stream_data() {
    let text = "//MYJOB JOB (A),'X Y',CLASS=A\n\
                //* comment\n\
                //  SET HLQ=ONE.TWO\n\
                //S1 EXEC PGM=IDCAMS,\n\
                //   PARM='A,B'                     remarks here\n\
                //SYSPRINT DD SYSOUT=*\n\
                //IN  DD DSN=&HLQ..DATA,DISP=SHR,DCB=(RECFM=FB,LRECL=80)\n\
                //SYSIN DD *\n\
                DEFINE CLUSTER(NAME(&HLQ..K))\n\
                /*\n\
                //S2 EXEC MYPROC,P=1\n\
                //X.SYSIN DD DATA,DLM='@@'\n\
                //NOT A STATEMENT\n\
                @@\n\
                //D DD DUMMY\n";
    let job = job(text, &[]);
    assert_eq!(job.name, "MYJOB");
    assert_eq!(job.steps.len(), 2);
    let step = &job.steps[0];
    assert_eq!((step.program.as_str(), step.parm.as_str(), step.line), ("IDCAMS", "A,B", 4));
    assert_eq!(step.dds[1].data_set.as_deref(), Some("ONE.TWO.DATA"));
    assert_eq!(step.dds[1].record_length, Some(80));
    assert_eq!(step.in_stream("SYSIN").unwrap(), "DEFINE CLUSTER(NAME(ONE.TWO.K))\n");
    let call = &job.steps[1];
    assert!(call.is_procedure && call.program == "MYPROC" && call.parameters["P"] == "1");
    assert_eq!(call.in_stream("SYSIN").unwrap(), "//NOT A STATEMENT\n");
    assert_eq!(call.dds[0].step, "X");
    assert!(call.dds[1].dummy);
    assert!(job.remarks.is_empty());
}

#[test]
fn a_value_of_the_caller_wins_over_set() {
    let job = job("// SET HLQ=OLD\n//S EXEC PGM=IDCAMS\n//A DD DSN=&HLQ..X\n", &[("HLQ", "NEW")]);
    assert_eq!(job.steps[0].dds[0].data_set.as_deref(), Some("NEW.X"));
}

#[test]
fn in_stream_data_ends_at_the_next_statement() {
    let job = job("//S EXEC PGM=IDCAMS\n//SYSIN DD *\n LISTCAT\n//T EXEC PGM=X\n", &[]);
    assert_eq!(job.steps[0].in_stream("SYSIN").unwrap(), " LISTCAT\n");
    assert_eq!(job.steps[1].program, "X");
}

#[test]
fn a_file_may_hold_several_jobs() {
    let jobs = jobs("//A JOB\n// SET X=1\n//S EXEC PGM=P\n//D DD DSN=N&X\n//B JOB\n//S EXEC PGM=P\n//D DD DSN=N&X\n", &[], &[]);
    let names: Vec<(&str, &str)> = jobs.iter().map(|job| (job.name.as_str(), job.steps[0].dds[0].data_set.as_deref().unwrap())).collect();
    assert_eq!(names, [("A", "N1"), ("B", "N&X")], "a job begins without the symbols of the one before it");
    assert_eq!(jobs[1].steps[0].missing(), ["&X"]);
}

/// A procedure of two steps, called with values, a PARM for each step and DD statements that override and add.
#[test]
fn a_procedure_takes_parameters_and_overrides() {
    let text = "//J JOB\n\
                //LOAD PROC HLQ=TEST,DISPO=SHR\n\
                //DEF EXEC PGM=IDCAMS,PARM='OLD'\n\
                //SYSIN DD DUMMY\n\
                //COPY EXEC PGM=IDCAMS,PARM='KEPT'\n\
                //IN DD DSN=&HLQ..IN,DISP=&DISPO,DCB=(LRECL=80,RECFM=FB)\n\
                // DD DSN=&HLQ..MORE,DISP=SHR\n\
                //OUT DD DSN=&HLQ..OUT,DISP=SHR\n\
                //  PEND\n\
                //RUN EXEC LOAD,HLQ=PROD,PARM='NEW'\n\
                //DEF.SYSIN DD *\n DEFINE\n/*\n\
                //COPY.IN DD\n\
                // DD DSN=OTHER.MORE\n\
                //OUT DD DSN=OTHER.OUT\n\
                //EXTRA DD DUMMY\n\
                //LAST EXEC PGM=IEFBR14\n";
    let job = job(text, &[]);
    let names: Vec<&str> = job.steps.iter().map(|step| step.name.as_str()).collect();
    assert_eq!(names, ["RUN.DEF", "RUN.COPY", "LAST"]);
    let [def, copy, _] = &job.steps[..] else { panic!() };
    assert_eq!((def.parm.as_str(), copy.parm.as_str()), ("NEW", "KEPT"));
    assert_eq!(def.in_stream("SYSIN").unwrap(), " DEFINE\n");
    let data_sets: Vec<&str> = copy.dds.iter().filter_map(|dd| dd.data_set.as_deref()).collect();
    assert_eq!(data_sets, ["PROD.IN", "OTHER.MORE", "OTHER.OUT"], "a DD without a step's name is for the step named before");
    assert_eq!(copy.dds[0].record_length, Some(80), "parameters that are not overridden stay");
    assert_eq!(copy.dds.last().unwrap().name, "EXTRA");
}

#[test]
fn members_are_called_and_included_with_the_symbols_in_force() {
    let members = [
        ("OUTER", "//OUTER PROC A=1,B=2\n//X EXEC INNER,B=3\n//X2 EXEC PGM=P\n//D DD DSN=&A&B\n"),
        ("INNER", "//INNER PROC C=4\n//Y EXEC PGM=IDCAMS\n//D DD DSN=N&A&B&C\n"),
        ("GROUP", "//G DD DSN=G&A\n"),
    ];
    let text = "//J JOB\n// JCLLIB ORDER=(MY.PROCLIB)\n// EXPORT SYMLIST=(A,B)\n//JOBLIB DD DSN=L\n// SET A=9\n//S EXEC PROC=OUTER,A=7\n//T EXEC PGM=Q\n// INCLUDE MEMBER=GROUP\n";
    let job = jobs(text, &[], &members).remove(0);
    let found: Vec<(String, Option<&str>)> = job.steps.iter().map(|s| (s.name.clone(), s.dds[0].data_set.as_deref())).collect();
    let expected = [("S.X.Y", "N734"), ("S.X2", "72"), ("T", "G9")];
    assert_eq!(found, expected.map(|(name, data_set)| (name.to_string(), Some(data_set))));
    assert!(job.remarks.is_empty(), "{:?}", job.remarks);
    assert_eq!(job.steps[0].procedure.as_deref(), Some(Path::new("INNER")));
}

#[test]
fn a_procedure_that_calls_itself_ends_at_the_fifteenth_level() {
    let job = jobs("//J JOB\n//S EXEC SELF\n", &[], &[("SELF", "//SELF PROC\n//A EXEC SELF\n//B EXEC PGM=IDCAMS\n")]).remove(0);
    assert_eq!(job.steps.len(), 16, "fifteen steps, and the call that is one too many");
    assert_eq!(job.remarks.len(), 1);
    assert!(job.remarks[0].1.contains("nest deeper than 15"), "{:?}", job.remarks);
}

#[test]
fn backward_references_name_the_data_set() {
    let job = job("//S EXEC PGM=A\n//D DD DSN=X.Y\n//T EXEC PGM=B\n//E DD DSN=*.S.D\n//F DD DSN=*.E\n", &[]);
    let names: Vec<Option<&str>> = job.steps[1].dds.iter().map(|dd| dd.data_set.as_deref()).collect();
    assert_eq!(names, [Some("X.Y"); 2]);
}

#[test]
fn members_and_generations_of_a_data_set() {
    let job = job("//S EXEC PGM=A\n//D DD DSN=X.LIB(MEM)\n//E DD DSN=X.GDG(+1)\n//F DD DSN=NULLFILE\n", &[]);
    let dds = &job.steps[0].dds;
    assert_eq!(dds[0].member(), Some(("X.LIB", "MEM")));
    assert_eq!((dds[1].member(), dds[1].data_set.as_deref()), (None, Some("X.GDG(+1)")));
    assert!(dds[2].dummy);
}

#[test]
fn jcllib_libraries_are_searched_in_order() {
    let candidates = [PathBuf::from("a/JCL/X.jcl"), PathBuf::from("a/proc/X.prc"), PathBuf::from("a/other/X")];
    let libraries = ["PROD.PROC".to_string(), "PROD.JCL".to_string()];
    assert_eq!(preferred(&candidates, &libraries), Some(&candidates[1]));
    assert_eq!(preferred(&candidates, &[]), Some(&candidates[0]));
}
